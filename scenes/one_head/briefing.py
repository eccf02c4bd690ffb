"""One detective, one word, one question: query, keys, scores, shares, values, report; in a room at night."""

from collections.abc import Mapping
from operator import index

from manim import UP, ApplyMethod, FadeIn, LaggedStart, ReplacementTransform, there_and_back

from scenes.cast.cards import Leaf, slack, tied
from scenes.cast.desk import DeskLesson
from scenes.cast.paper import ShareBar
from scenes.cast.room import daylight
from scenes.kit import layout
from scenes.kit.lines import SlotValue
from scenes.kit.matrix import Matrix, alike
from scenes.kit.motion import Draw
from scenes.kit.paragraph import Paragraph
from scenes.kit.text import BODY, SMALL, Number, TextLine
from scenes.kit.theme import DARK
from scenes.kit.values import formatted

# The head that is followed.
HEAD = 0
# Between what is written on the sheet of paper.
_GAP = (0.05, 0.32)


class Briefing(DeskLesson):
    """Follow one word's detective through one head: query, keys, scores, shares of one whole, values, report."""

    beats = ("gather", "ask", "match", "softmax", "matrix", "collect", "summary")

    def slots(self) -> Mapping[str, SlotValue]:
        report, top = self.example.report, self.top
        return {
            "word": self.token(self.example.focus), "top": self.token(top), "weight": report.weights[top],
            "sum": formatted(report.weight_sum, 0), "d_head": self.example.sizes.d_head, "score": report.scores[top],
            "scaled": report.scaled[top],
        }  # fmt: skip

    @property
    def question(self) -> str:
        """The label of the question that the detective answers; an open one where the numbers answer none."""
        return self.example.question_of(HEAD) or "open"

    @property
    def top(self) -> int:
        """The word with the largest weight."""
        return index(self.example.report.strongest)

    def gather(self) -> None:
        self.add(self.title("parameters"))
        self.furnish(HEAD)
        self.play(self.room.switch_on(), run_time=1.2)
        said = self.says("rule", self.captain)
        turned = [each.acts(look=self.captain) for each in (*self.others, self.detective)]
        self.play(FadeIn(said), self.captain.acts(look=self.detective, mood="speaks"), *turned, run_time=0.8)
        last = self.cards.card(-1)
        read = [ApplyMethod(card.shift, 0.07 * UP, rate_func=there_and_back) for card in self.cards.cards]
        eyes = [each.acts(look=last) for each in (*self.others, self.detective)]
        self.play(LaggedStart(*read, lag_ratio=0.3), *eyes, run_time=2.6)
        self.leave(said)

    def ask(self) -> None:
        self.leave(*self.room.covered([*self.others, self.captain]))
        said = self.says(self.question, self.detective)
        looks = self.detective.acts(look=self.cards.card(self.example.focus), mood="speaks")
        self.play(looks, FadeIn(said), *self.look_on(look=self.detective, mood="calm"), run_time=0.8)
        self.wait(0.8)
        self.until("query")
        self.leaf = Leaf(self.room.leaf, DARK.query)
        with daylight():
            q = Matrix(self.example.report.q, digits="all", fill=DARK.query)
            asked = self.label(self.question).text
            heading = self.paragraph("query", BODY, bold=True, upright=2, question=asked)
            made = self.paragraph("query_is", rows=2, upright=3)
            self.leaf.stage.column(heading, q, made, gap=_GAP)
        self.leave(said, seconds=0.3)
        self.enter(self.leaf)
        self.write(heading, q, made, moves=[self.detective.acts(look=self.leaf, mood="calm")])
        self.until("key")
        self.hang(self.cards.ears("tag"), self.detective.acts(look=self.cards), seconds=1.8)

    def match(self) -> None:
        report, top = self.example.report, self.top
        self.play(self.detective.acts(right=self.detective.reaches("right", self.room.spool)), run_time=0.5)
        self.spool, self.color = self.detective.hand("right"), DARK.head(HEAD)
        self.strands = [slack(self.spool, ear, self.cards, self.color) for ear in self.ears]
        self.play(LaggedStart(*map(Draw, self.strands), lag_ratio=0.15), run_time=1.4)
        self.run_along(self.strands, DARK.query)
        with daylight():
            vectors = report.q, self.example.heads[HEAD].k.row(top), report.query_key_products.row(top)
            hues = DARK.query, DARK.key, "signed"
            parts = [Matrix(v, digits="all", fill=hue) for v, hue in zip(vectors, hues, strict=True)]
            alike(*parts)
            rows = list(zip([self.label(key) for key in ("query_of", "key_of", "product")], parts, strict=True))
            steps = self.label("add"), self.label("scale", bold=True)
            self.leaf.stage.column(layout.table(*rows, apart=(0.04, 0.24)), *steps, gap=_GAP)
        eyes = self.detective.acts(look=self.ears[top], mood="thinks")
        self.write(
            *(each for row in rows for each in row), *steps, moves=[eyes, *self.look_on(look=self.leaf)], lag=0.5
        )
        self.until("score")
        self.hang(self.cards.ears("tag", report.scaled))

    def softmax(self) -> None:
        weights, stage = self.example.report.weights, self.leaf.stage
        with daylight():
            heading = self.paragraph("shares", BODY, upright=2)
            bar = ShareBar(weights, self.example.words, stage.width, 0.6, self.color)
            stage.column(heading, bar)
        pairs = zip(self.ears, weights.entries(), strict=True)
        self.threads = [tied(self.spool, ear, self.cards, entry, self.color) for ear, entry in pairs]
        self.write(heading, bar.outline, moves=[self.detective.acts(look=self.leaf)])
        grown = (ReplacementTransform(*pair) for pair in zip(self.strands, self.threads, strict=True))
        self.play(LaggedStart(*map(FadeIn, bar.parts), lag_ratio=0.3), *grown, run_time=2.4)
        self.play(FadeIn(bar.names), self.detective.acts(look=self.ears[self.top], mood="found"), run_time=0.8)
        share = Number(weights[self.top], SMALL, DARK.ink, bold=True)
        self.enter(share.move_to(self.detective.held("left")))
        self.written += [*bar.parts, bar.names]

    def matrix(self) -> None:
        with daylight():
            whole = Matrix(self.example.heads[HEAD].weights, fill="weight", rows=self.example.words)
            told = self.paragraph("matrix", rows=2)
            self.leaf.stage.column(whole, told, gap=_GAP)
            ring = whole.ring(whole.row(self.example.focus))
        self.veil(whole.inside)
        self.write(whole, told, moves=[self.detective.acts(look=self.leaf, mood="calm")])
        self.unveil(whole, whole.row(self.example.focus))
        self.play(Draw(ring))
        self.written.append(ring)
        self.unveil(whole, *whole.each_row(self.example.focus), lag=0.6)

    def collect(self) -> None:
        report, top = self.example.report, self.top
        self.until("value")
        self.hang(self.cards.ears("slip"))
        with daylight():
            vectors = self.example.heads[HEAD].v.row(top), report.weighted_values.row(top)
            parts = [Matrix(v, digits="all", fill=hue) for v, hue in zip(vectors, (DARK.value, "signed"), strict=True)]
            alike(*parts)
            names, times = (self.label("value_of"), self.label("arrives")), self.label("times", bold=True)
            value, arrives = zip(names, parts, strict=True)
            self.leaf.stage.column(layout.table(value), times, layout.table(arrives), gap=_GAP)
        moves = [self.detective.acts(look=self.ears[top], mood="calm"), *self.look_on(look=self.ears[top])]
        self.write(*value, times, *arrives, moves=moves, lag=0.5)
        self.run_along(self.threads, DARK.value, back=True)

    def summary(self) -> None:
        report, stage = self.example.report, self.leaf.stage
        with daylight():
            shares, total = Matrix(report.weighted_values, rows=self.example.words), Matrix(report.output, digits="all")
            alike(shares, total)
            mix, heading = self.label("mix"), self.paragraph("total", BODY, bold=True, upright=2)
            answer = self._answer()
            stage.column(mix, shares, gap=_GAP)
            stage.column(heading, total, answer, gap=_GAP)
        self.write(mix, shares)
        self.run_along(self.threads, DARK.value, back=True)
        self.veil(total.inside)
        with self.together():
            self.leave(mix, shares)
            self.trace([shares.inside], [total.inside])
        self.written = []
        self.write(heading, moves=[self.detective.acts(look=self.captain, mood="glad")])
        self.play(FadeIn(answer), *self.look_on(look=self.leaf, mood="found"))

    def _answer(self) -> Paragraph | TextLine:
        """The word with the largest share: the answer, where a question was asked."""
        if self.question == "open":
            return self.paragraph("answer", BODY, rows=2, upright=3)
        return self.label("solved", BODY, bold=True, question=self.label(self.question).text)
