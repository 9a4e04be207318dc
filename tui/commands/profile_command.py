"""A command that reads one profile, and says what to do with several."""

import os
from pathlib import Path

import click


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


def _together(paths: list[str]) -> str:
    """Say how to open several paths as one."""
    whole = [os.path.realpath(path) for path in paths]
    parent = Path(os.path.commonpath(whole))
    if parent == Path(parent.anchor):
        return "move them into one folder and open that"
    if not all(map(os.path.isabs, paths)) and parent.is_relative_to(Path.cwd()):
        parent = parent.relative_to(Path.cwd())
    return f"open the folder that holds them, {parent}"
