/* Strict JSON, one value at a time, over a text that ends at `end`.
 *
 * What this accepts, every other JSON reader accepts too: RFC 8259 without any
 * leniency, in valid UTF-8. Each function returns NULL and leaves the reason in
 * `stop` when a value is not whole or not strict. */
#ifndef NPUVIEW_LEXER_H
#define NPUVIEW_LEXER_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef const uint8_t *Cursor;

enum Stop {
    STOP_NONE,
    STOP_MORE,    /* the text ends inside an event */
    STOP_REFUSED, /* not strict JSON, or a kind of it that is left to the tolerant reader */
    STOP_MEMORY,
};

enum Flag {
    ESCAPED = 1,   /* a string holds an escape */
    SURROGATE = 2, /* one of its escapes is half of a pair */
    WIDE = 4,      /* a string is not ASCII */
};

typedef struct {
    Cursor end;
    enum Stop stop;
} Lexer;

#define DEEPEST 60
#define LONGEST_NUMBER 300

static inline Cursor lexer_fail(Lexer *lexer, enum Stop stop)
{
    lexer->stop = stop;
    return NULL;
}

Cursor lexer_string_rest(Lexer *lexer, Cursor start, Cursor p, unsigned *flags);
Cursor lexer_container_end(Lexer *lexer, Cursor p, unsigned *flags);
Cursor lexer_word_end(Lexer *lexer, Cursor p);

/* Pass over blanks; fail at the end of the text, where a value would have to follow. */
static inline Cursor lexer_space(Lexer *lexer, Cursor p)
{
    while (p < lexer->end) {
        if (*p > ' ')
            return p;
        if (*p != ' ' && *p != '\n' && *p != '\r' && *p != '\t')
            return lexer_fail(lexer, STOP_REFUSED);
        p++;
    }
    return lexer_fail(lexer, STOP_MORE);
}

/* Pass over one character and the blanks before and after it. */
static inline Cursor lexer_mark(Lexer *lexer, Cursor p, uint8_t mark)
{
    p = lexer_space(lexer, p);
    if (p == NULL)
        return NULL;
    return *p == mark ? lexer_space(lexer, p + 1) : lexer_fail(lexer, STOP_REFUSED);
}

/* Return the closing quote of the string whose content begins at `p`. */
static inline Cursor lexer_string_end(Lexer *lexer, Cursor p, unsigned *flags)
{
    Cursor start = p;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i slash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1f);
    while (lexer->end - p >= 16) {
        __m128i text = _mm_loadu_si128((const __m128i *)p);
        __m128i special = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, slash)),
            _mm_cmpeq_epi8(_mm_min_epu8(text, control), text));
        unsigned found = (unsigned)_mm_movemask_epi8(special);
        unsigned wide = (unsigned)_mm_movemask_epi8(text);
        if (found) {
            unsigned at = (unsigned)__builtin_ctz(found);
            if ((wide & ((1u << at) - 1)) || p[at] != '"')
                break;
            return p + at;
        }
        if (wide)
            break;
        p += 16;
    }
#elif defined(__aarch64__) && defined(__ARM_NEON)
    while (lexer->end - p >= 16) {
        uint8x16_t text = vld1q_u8(p);
        uint8x16_t special = vorrq_u8(
            vorrq_u8(vceqq_u8(text, vdupq_n_u8('"')), vceqq_u8(text, vdupq_n_u8('\\'))),
            vorrq_u8(vcltq_u8(text, vdupq_n_u8(0x20)), vcgeq_u8(text, vdupq_n_u8(0x80))));
        /* Four bits of each byte: NEON has no mask of one bit per byte. */
        uint64_t found = vget_lane_u64(
            vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(special), 4)), 0);
        if (found) {
            unsigned at = (unsigned)__builtin_ctzll(found) / 4;
            if (p[at] != '"')
                break;
            return p + at;
        }
        p += 16;
    }
#endif
    return lexer_string_rest(lexer, start, p, flags);
}

/* Return what follows the number at `p`. */
static inline Cursor lexer_number_end(Lexer *lexer, Cursor p)
{
    Cursor start = p, end = lexer->end, digits;
    if (p < end && *p == '-')
        p++;
    digits = p;
    while (p < end && (uint8_t)(*p - '0') < 10)
        p++;
    if (p < end && (p == digits || (*digits == '0' && p - digits > 1)))
        return lexer_fail(lexer, STOP_REFUSED);
    if (p < end && *p == '.') {
        digits = ++p;
        while (p < end && (uint8_t)(*p - '0') < 10)
            p++;
        if (p < end && p == digits)
            return lexer_fail(lexer, STOP_REFUSED);
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        digits = p;
        while (p < end && (uint8_t)(*p - '0') < 10)
            p++;
        if (p < end && p == digits)
            return lexer_fail(lexer, STOP_REFUSED);
    }
    if (p == end)
        return lexer_fail(lexer, STOP_MORE);
    return p - start > LONGEST_NUMBER ? lexer_fail(lexer, STOP_REFUSED) : p;
}

/* Return what follows the value at `p`, of any kind. */
static inline Cursor lexer_value_end(Lexer *lexer, Cursor p, unsigned *flags)
{
    switch (*p) {
    case '"':
        p = lexer_string_end(lexer, p + 1, flags);
        return p == NULL ? NULL : p + 1;
    case '{':
    case '[':
        return lexer_container_end(lexer, p, flags);
    case 't':
    case 'f':
    case 'n':
        return lexer_word_end(lexer, p);
    default:
        return lexer_number_end(lexer, p);
    }
}

#endif
