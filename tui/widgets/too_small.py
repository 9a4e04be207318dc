"""What a terminal shows in which no view has room."""

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cut
from .canvas import Canvas, Line

LEAST_WIDTH = 60
LEAST_HEIGHT = 15


class TooSmall(Canvas):
    """One line in the middle that says how large the terminal has to be."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="too_small")

    def draw_line(self, y: int, width: int) -> Line:
        """Return the line, if it is the one in the middle."""
        if y != self.size.height // 2:
            return ()
        here = self.app.size
        text = f"npuview needs {LEAST_WIDTH}x{LEAST_HEIGHT}; this is {here.width}x{here.height}"
        return [Run(cut(text, width).center(width), Role.PLAIN)]
