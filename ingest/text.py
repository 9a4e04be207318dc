"""Text that UTF-8 can hold, of names and values that may be anything."""


def printable(text: str) -> str:
    r"""Replace what UTF-8 cannot hold: bad bytes by ``\xNN``, surrogates by ``\uNNNN``.

    Bad bytes are those that ``surrogateescape`` keeps, as in names of files.
    """
    if text.isascii():
        return text
    return "".join(
        f"\\x{ord(c) - 0xDC00:02x}"
        if "\udc80" <= c <= "\udcff"
        else f"\\u{ord(c):04x}"
        if "\ud800" <= c <= "\udfff"
        else c
        for c in text
    )
