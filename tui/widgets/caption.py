"""The words before a field: one row that does not change by itself."""

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from .canvas import Canvas, Line


class Caption(Canvas):
    """Clean text, bold or not."""

    def __init__(self, look: Look, text: str = "", *, bold: bool = False) -> None:
        super().__init__(look)
        self.text = text
        self._attributes = Attributes.BOLD if bold else Attributes.NONE

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 there is one row
        """Return the text."""
        return [Run(self.text, Role.PLAIN, attributes=self._attributes)]
