#include "number.h"

#define MOST_WHOLE_DIGITS 16 /* so that nanoseconds fit 64 bits without a sign */

static int is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Read eight digits at once; return 0 if any of them is none. */
static int eight_digits(Cursor p, uint64_t *value)
{
    uint64_t text;
    memcpy(&text, p, 8);
    if (((text & 0xf0f0f0f0f0f0f0f0u) |
         (((text + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4)) != 0x3333333333333333u)
        return 0;
    text &= 0x0f0f0f0f0f0f0f0fu;
    text = text * 10 + (text >> 8);
    text = ((text & 0x000000ff000000ffu) * 0x000f424000000064u +
            ((text >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >> 32;
    *value = *value * 100000000 + (text & 0xffffffffu);
    return 1;
}
#else
static int eight_digits(Cursor p, uint64_t *value)
{
    (void)p, (void)value;
    return 0;
}
#endif

/* Read decimal microseconds as nanoseconds, half to even below one; return whether it is such.
 *
 * Blanks, a sign, a missing whole part or fraction are allowed, as in decimal_time.py;
 * exponents and what does not fit are left to it. */
int number_nanoseconds(Cursor p, Cursor end, int64_t *ns)
{
    uint64_t value = 0;
    unsigned fraction = 0, half = 0, rest = 0, any;
    int negative;
    Cursor digits;
    while (p < end && *p == ' ')
        p++;
    while (p < end && end[-1] == ' ')
        end--;
    negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    digits = p;
    while (end - p >= 8 && p - digits <= MOST_WHOLE_DIGITS - 8 && eight_digits(p, &value))
        p += 8;
    while (p < end && is_digit(*p) && p - digits < MOST_WHOLE_DIGITS)
        value = value * 10 + (*p++ - '0');
    any = p > digits;
    if (p < end && *p == '.') {
        for (p++; p < end && is_digit(*p); p++) {
            unsigned digit = *p - '0';
            any = 1;
            if (fraction < 3)
                value = value * 10 + digit, fraction++;
            else if (fraction++ == 3)
                half = digit;
            else
                rest |= digit;
        }
    }
    if (p != end || !any)
        return 0;
    for (; fraction < 3; fraction++)
        value *= 10;
    value += half > 5 || (half == 5 && (rest || (value & 1)));
    if (value > (uint64_t)MOST_TS_NS)
        return 0;
    *ns = negative ? -(int64_t)value : (int64_t)value;
    return 1;
}

/* Read a stream, task or connection number; NO_NUMBER for the marks that mean none and
 * for what is no whole number. Return 0 if only Python can tell. */
int number_identifier(Cursor p, Cursor end, int64_t *id)
{
    Cursor at, digits = p + (p < end && *p == '-');
    int64_t value = 0;
    *id = NO_NUMBER;
    for (at = digits; at < end && is_digit(*at) && at - digits < 18; at++)
        value = value * 10 + (*at - '0');
    if (at < end || at == digits) {
        /* Python's int() also takes blanks, a plus and underscores. */
        for (at = p; at < end; at++)
            if (*at > ' ' && !is_digit(*at) && *at != '-' && *at != '+' && *at != '_' && *at < 0x80)
                return 1;
        return p == end;
    }
    if (digits > p)
        value = -value;
    if (value != -1 && value != 4294967295)
        *id = value;
    return 1;
}

/* Tell whether text is a decimal number as it would be printed, below LEAST_LARGE_ID. */
int number_is_plain(Cursor p, Cursor end, int64_t *id)
{
    uint64_t value = 0;
    if (p == end || end - p > 19 || (*p == '0' && end - p > 1))
        return 0;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return 0;
        value = value * 10 + (*p - '0');
    }
    *id = (int64_t)value;
    return value < (uint64_t)LEAST_LARGE_ID;
}
