#include "lexer.h"

/* Return the length of the UTF-8 sequence at `p`, 0 if it is none (RFC 3629, table 3-7). */
static unsigned utf8_length(Cursor p, Cursor end)
{
    uint8_t first = p[0], low = 0x80, high = 0xbf;
    unsigned length, at;
    if (first < 0xc2)
        return 0;
    if (first < 0xe0) {
        length = 2;
    } else if (first < 0xf0) {
        length = 3;
        if (first == 0xe0)
            low = 0xa0;
        if (first == 0xed)
            high = 0x9f;
    } else if (first < 0xf5) {
        length = 4;
        if (first == 0xf0)
            low = 0x90;
        if (first == 0xf4)
            high = 0x8f;
    } else {
        return 0;
    }
    if ((size_t)(end - p) < length)
        return 0;
    if (p[1] < low || p[1] > high)
        return 0;
    for (at = 2; at < length; at++)
        if ((p[at] & 0xc0) != 0x80)
            return 0;
    return length;
}

static int hex_digit(uint8_t c)
{
    if ((uint8_t)(c - '0') < 10)
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Return what follows the escape at `p`, which is its backslash. */
static Cursor escape_end(Lexer *lexer, Cursor p, unsigned *flags)
{
    unsigned unit = 0, at;
    *flags |= ESCAPED;
    if (lexer->end - p < 2)
        return lexer_fail(lexer, STOP_MORE);
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return p + 2;
    case 'u':
        break;
    default:
        return lexer_fail(lexer, STOP_REFUSED);
    }
    if (lexer->end - p < 6)
        return lexer_fail(lexer, STOP_MORE);
    for (at = 2; at < 6; at++) {
        int digit = hex_digit(p[at]);
        if (digit < 0)
            return lexer_fail(lexer, STOP_REFUSED);
        unit = unit << 4 | (unsigned)digit;
    }
    if (unit >= 0xd800 && unit < 0xe000)
        *flags |= SURROGATE;
    return p + 6;
}

/* Pass over ordinary ASCII, which is all there is in a run of eight bytes or more. */
static Cursor plain_end(Cursor p, Cursor end)
{
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    while (end - p >= 8) {
        uint64_t text, quote, slash;
        memcpy(&text, p, 8);
        quote = text ^ ones * '"';
        slash = text ^ ones * '\\';
        if ((text | (text - ones * 0x20) | (quote - ones) | (slash - ones)) & highs)
            break;
        p += 8;
    }
    return p;
}

/* Go on in the string that begins at `start` from `p`, up to which nothing is special. */
Cursor lexer_string_rest(Lexer *lexer, Cursor start, Cursor p, unsigned *flags)
{
    (void)start;
    while ((p = plain_end(p, lexer->end)) < lexer->end) {
        uint8_t c = *p;
        if (c == '"')
            return p;
        if (c == '\\') {
            p = escape_end(lexer, p, flags);
            if (p == NULL)
                return NULL;
        } else if (c < 0x20) {
            return lexer_fail(lexer, STOP_REFUSED);
        } else if (c < 0x80) {
            p++;
        } else {
            unsigned length = utf8_length(p, lexer->end);
            if (length == 0)
                return lexer_fail(lexer, lexer->end - p < 4 ? STOP_MORE : STOP_REFUSED);
            *flags |= WIDE;
            p += length;
        }
    }
    return lexer_fail(lexer, STOP_MORE);
}

/* Return what follows true, false or null. */
Cursor lexer_word_end(Lexer *lexer, Cursor p)
{
    const char *word = *p == 't' ? "true" : *p == 'f' ? "false" : "null";
    size_t length = strlen(word), left = (size_t)(lexer->end - p);
    if (memcmp(p, word, left < length ? left : length) != 0)
        return lexer_fail(lexer, STOP_REFUSED);
    return left < length ? lexer_fail(lexer, STOP_MORE) : p + length;
}

/* Pass over a key, its colon and the blanks around them. */
static Cursor key_end(Lexer *lexer, Cursor p, unsigned *flags)
{
    if (*p != '"')
        return lexer_fail(lexer, STOP_REFUSED);
    p = lexer_string_end(lexer, p + 1, flags);
    return p == NULL ? NULL : lexer_mark(lexer, p + 1, ':');
}

/* Return what follows the object or list at `p`; its depth is bounded, not the stack. */
Cursor lexer_container_end(Lexer *lexer, Cursor p, unsigned *flags)
{
    uint64_t objects = 0; /* one bit for each open container, the innermost lowest */
    unsigned depth = 0;
    for (;;) {
        if (*p == '{' || *p == '[') {
            int object = *p == '{';
            if (++depth > DEEPEST)
                return lexer_fail(lexer, STOP_REFUSED);
            objects = objects << 1 | (uint64_t)object;
            p = lexer_space(lexer, p + 1);
            if (p == NULL)
                return NULL;
            if (*p != (object ? '}' : ']')) {
                if (object && (p = key_end(lexer, p, flags)) == NULL)
                    return NULL;
                continue;
            }
        } else {
            p = lexer_value_end(lexer, p, flags);
            if (p == NULL || (p = lexer_space(lexer, p)) == NULL)
                return NULL;
        }
        /* A value has ended, or the bracket of an empty container stands here. */
        while (*p == (objects & 1 ? '}' : ']')) {
            p++;
            objects >>= 1;
            if (--depth == 0)
                return p;
            p = lexer_space(lexer, p);
            if (p == NULL)
                return NULL;
        }
        if (*p != ',')
            return lexer_fail(lexer, STOP_REFUSED);
        p = lexer_space(lexer, p + 1);
        if (p == NULL)
            return NULL;
        if ((objects & 1) && (p = key_end(lexer, p, flags)) == NULL)
            return NULL;
    }
}
