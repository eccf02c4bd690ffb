"""Contact sheets of audited lessons: each beat's last frame, a row a variant, with findings drawn in."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from scenes.font_file import font_files
from scenes.kit.layout import FRAME_HEIGHT, FRAME_WIDTH
from scripts.studio.audit import Audit, Finding

CELL = (480, 270)
_LABEL, _SIZE = 20, 13
_PAGE, _INK, _MARK = "#202020", "#E8E8E8", "#FF2D2D"


def contact_sheet(audits: Sequence[Audit], pictures: Path, target: Path) -> None:
    """Write the sheet of one lesson's audits, whose pictures are in a folder."""
    columns = max(len(audit.beats) for audit in audits)
    sheet = Image.new("RGB", (columns * CELL[0], len(audits) * (CELL[1] + _LABEL)), _PAGE)
    pen, font = ImageDraw.Draw(sheet), _font()
    for row, audit in enumerate(audits):
        for column, beat in enumerate(audit.beats):
            left, top = column * CELL[0], row * (CELL[1] + _LABEL)
            found = [finding for finding in audit.findings if finding.beat == beat]
            kinds = ", ".join(dict.fromkeys(finding.kind for finding in found))
            words = f"{audit.language} {audit.theme} {audit.words} words: {beat}"
            pen.text((left + 4, top + 2), f"{words}  {kinds}", _MARK if found else _INK, font)
            with Image.open(pictures / f"{audit.name}-{beat}.png") as picture:
                sheet.paste(picture, (left, top + _LABEL))
            for finding in found:
                _mark(pen, finding, left, top + _LABEL)
    sheet.save(target, optimize=True)


def _mark(pen: ImageDraw.ImageDraw, finding: Finding, left: int, top: int) -> None:
    if finding.box is None:
        # It is the whole picture's.
        pen.rectangle((left, top, left + CELL[0] - 1, top + CELL[1] - 1), outline=_MARK)
        return
    scale = CELL[0] / FRAME_WIDTH
    x0, x1 = (left + (x + FRAME_WIDTH / 2) * scale for x in (finding.box[0], finding.box[2]))
    y0, y1 = (top + (FRAME_HEIGHT / 2 - y) * scale for y in (finding.box[3], finding.box[1]))
    pen.rectangle((x0 - 2, y0 - 2, x1 + 2, y1 + 2), outline=_MARK, width=2)


def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    files = font_files()
    return ImageFont.truetype(str(files[0]), _SIZE) if files else ImageFont.load_default()
