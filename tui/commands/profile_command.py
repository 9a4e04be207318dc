"""A command that reads one profile, and says what to do with several."""

import os
import re
from pathlib import Path

import click

_COMMENT = re.compile(r"--(?:\s|[^=\n]*\n)")
"""How SQL begins with a comment: no option has a blank behind its dashes or a line break."""


class ProfileCommand(click.Command):
    """A command with an argument PATH; for a second path it suggests the folder of both."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does; raise UsageError for words that are too many."""
        ctx.allow_extra_args = True
        super().parse_args(ctx, args)
        if ctx.resilient_parsing:
            return ctx.args
        words = [ctx.params.get("path"), ctx.params.get("text"), *ctx.args]
        paths = [str(word) for word in words if word is not None and os.path.lexists(str(word))]
        if len(paths) > 1:
            ctx.fail(f"one PATH at a time: {_together(paths)}")
        if ctx.args:
            ctx.fail(f"one word too many: {ctx.args[0]}")
        return ctx.args


class SqlCommand(ProfileCommand):
    """A command that takes SQL, which may begin with a comment."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but take ``-- …`` for SQL and not for an option."""
        # With a blank before it click sees no option, and SQL means the same.
        return super().parse_args(ctx, [f" {one}" if _COMMENT.match(one) else one for one in args])


def _together(paths: list[str]) -> str:
    """Say how to open several paths as one."""
    whole = [os.path.realpath(path) for path in paths]
    parent = Path(os.path.commonpath(whole))
    if parent == Path(parent.anchor):
        return "move them into one folder and open that"
    if not all(map(os.path.isabs, paths)) and parent.is_relative_to(Path.cwd()):
        parent = parent.relative_to(Path.cwd())
    return f"open the folder that holds them, {parent}"
