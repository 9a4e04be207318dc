/* Decimal text to whole numbers, digit by digit and never through a float. */
#ifndef NPUVIEW_NUMBER_H
#define NPUVIEW_NUMBER_H

#include "lexer.h"

/* What stands for "none" in a column of numbers. */
#define NO_NUMBER INT64_MIN

/* Times beyond (the year 2116, 73 years) are damage: MOST_TS_NS and MOST_DUR_NS of the reader. */
#define MOST_TS_NS ((int64_t)1 << 62)
#define MOST_DUR_NS ((int64_t)1 << 61)

/* Ids from here on, and those that are no plain decimal, are kept as words. */
#define LEAST_LARGE_ID ((int64_t)1 << 62)

int number_nanoseconds(Cursor p, Cursor end, int64_t *ns);
int number_identifier(Cursor p, Cursor end, int64_t *id);
int number_is_plain(Cursor p, Cursor end, int64_t *id);

#endif
