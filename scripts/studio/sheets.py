"""Contact sheets of audited lessons: each beat's last frame, a row a variant, with findings drawn in."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from scenes.font_file import font_files
from scenes.formats import FORMATS, Canvas
from scripts.studio.audit import SMALLER, STILL, Audit, Finding

_LABEL, _SIZE = 20, 13
_PAGE, _INK, _MARK = "#202020", "#E8E8E8", "#FF2D2D"


def contact_sheet(audits: Sequence[Audit], pictures: Path, target: Path) -> None:
    """Write the sheet of one lesson's audits, whose pictures are in a folder."""
    columns = max(len(audit.beats) for audit in audits)
    cells = [cell(audit) for audit in audits]
    width, height = max(c.columns for c in cells) * columns, sum(c.rows + _LABEL for c in cells)
    sheet = Image.new("RGB", (width, height), _PAGE)
    pen, font = ImageDraw.Draw(sheet), _font()
    top = 0
    for audit, canvas in zip(audits, cells, strict=True):
        for column, beat in enumerate(audit.beats):
            left = column * canvas.columns
            found = [finding for finding in audit.findings if finding.beat == beat]
            kinds = ", ".join(dict.fromkeys(finding.kind for finding in found))
            words = f"{audit.language} {audit.theme} {audit.words} words: {beat}"
            pen.text((left + 4, top + 2), f"{words}  {kinds}", _MARK if found else _INK, font)
            with Image.open(pictures / f"{audit.name}-{beat}.png") as picture:
                sheet.paste(picture, (left, top + _LABEL))
            for finding in found:
                _mark(pen, finding, canvas, left, top + _LABEL)
        top += canvas.rows + _LABEL
    sheet.save(target, optimize=True)


def cell(audit: Audit) -> Canvas:
    """How a picture of a sheet shows an audit's frame."""
    frame = FORMATS[audit.format]
    width, height = frame.size(STILL)
    return frame.canvas(width // SMALLER, height // SMALLER)


def _mark(pen: ImageDraw.ImageDraw, finding: Finding, canvas: Canvas, left: int, top: int) -> None:
    if finding.box is None:
        # It is the whole picture's.
        pen.rectangle((left, top, left + canvas.columns - 1, top + canvas.rows - 1), outline=_MARK)
        return
    (x0, y0), (x1, y1) = (
        canvas.at(x, y) for x, y in ((finding.box[0], finding.box[3]), (finding.box[2], finding.box[1]))
    )
    pen.rectangle((left + x0 - 2, top + y0 - 2, left + x1 + 2, top + y1 + 2), outline=_MARK, width=2)


def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    files = font_files()
    return ImageFont.truetype(str(files[0]), _SIZE) if files else ImageFont.load_default()
