"""The words that the trained example knows: a row each, which English and Chinese share where one translates the other.

A word may have several forms (`sat`, `sits`; `坐`, `坐着`): what the example is asked does not depend on them, so they
have one row. Upper and lower case are the same word, and punctuation around a word is not part of it.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

# English forms, then Chinese forms; the first of each is the one that sentences are made with.
LIVING = """
cat 猫, dog 狗, horse 马, cow 牛, sheep 羊, pig 猪, rabbit 兔子/兔, fox 狐狸, wolf 狼, bear 熊, lion 狮子,
tiger 老虎, monkey 猴子, mouse 老鼠, bird 鸟/小鸟, duck 鸭子, frog 青蛙, man 人/男人, woman 女人, boy 男孩,
girl 女孩, baby 婴儿/宝宝, king 国王, queen 王后, farmer 农夫/农民, teacher 老师, student 学生, doctor 医生,
singer 歌手, sailor 水手, cook 厨师, detective 侦探
"""
THINGS = """
mat 垫子, rug 地毯, bed 床, sofa 沙发, chair 椅子, bench 长椅, table 桌子, desk 书桌, shelf 架子, box 盒子/箱子,
basket 篮子, bag 袋子, stove 炉子, lamp 灯, door 门, window 窗户/窗, wall 墙, roof 屋顶, house 房子, tower 塔,
bridge 桥, boat 船, car 汽车/车, tree 树, rock 岩石/石头, hill 山坡/山, river 河, lake 湖, beach 沙滩, garden 花园,
road 路, fire 火
"""
LIVING_ADJECTIVES = """
tired 疲惫/累, old 年老/老, young 年轻, small 小/小小, big 大/大大, happy 快乐/高兴, sad 悲伤/难过,
angry 愤怒/生气, hungry 饥饿/饿, thirsty 口渴/渴, sleepy 困倦/困, lazy 懒惰/懒, clever 聪明, brave 勇敢, shy 害羞,
quiet 安静, proud 骄傲, gentle 温柔, busy 忙碌/忙, lonely 孤独, curious 好奇, strong 强壮
"""
THING_ADJECTIVES = """
warm 温暖, cold 冰冷/冷, soft 柔软/软, hard 坚硬/硬, wide 宽阔/宽, narrow 狭窄/窄, round 圆形/圆, wooden 木头/木,
red 红色/红, blue 蓝色/蓝, green 绿色/绿, white 白色/白, black 黑色/黑, new 崭新/新, clean 干净, dirty 肮脏/脏,
dry 干燥/干, wet 潮湿/湿, dark 昏暗/暗, bright 明亮/亮, empty 空/空空, broken 破旧/破
"""
VERBS = """
sat/sits 坐/坐着, slept/sleeps 睡/睡着, stood/stands 站/站着, lay/lies 躺/躺着, waited/waits 等/等待,
rested/rests 休息, hid/hides 躲/躲藏, stayed/stays 待/待着, sang/sings 唱歌/唱, danced/dances 跳舞,
played/plays 玩/玩耍, ate/eats 吃饭/吃, cried/cries 哭/哭泣, laughed/laughs 笑/大笑, smiled/smiles 微笑,
ran/runs 跑/奔跑, jumped/jumps 跳, walked/walks 走/走路, worked/works 工作, read/reads 读书/看书,
dreamed/dreams 做梦, spoke/speaks 说话, fell/falls 摔倒, knelt/kneels 跪/跪着
"""
TRANSITIVE_VERBS = "bit/bites 咬, saw/sees 看见, chased/chases 追赶/追, helped/helps 帮助/帮"
PREPOSITIONS = """
on 上/上面, under 下/下面, in/inside 里/里面, behind 后面/后, beside/by 旁边/旁, near 附近, outside 外面/外,
above 上方
"""
BETWEEN = "between 之间"
AND = "and 和"
# Without a translation: a row for one language alone.
DETERMINERS = "the, a/an"
PARTICLE = "的"
COVERB = "在"


@dataclass(frozen=True)
class Word:
    """One row: its kind (`living`, `thing`, ...), and its forms in each language, none where it has no translation."""

    kind: str
    english: tuple[str, ...]
    chinese: tuple[str, ...]

    @property
    def name(self) -> str:
        """The word in one form, English where there is one."""
        return (*self.english, *self.chinese)[0]

    def forms(self, language: str) -> tuple[str, ...]:
        """The forms in `en` or `zh`."""
        return self.english if language == "en" else self.chinese


def _words(kind: str, table: str) -> list[Word]:
    words = []
    for entry in table.split(","):
        forms = [tuple(part.split("/")) for part in entry.split()]
        english = next((f for f in forms if f[0].isascii()), ())
        chinese = next((f for f in forms if not f[0].isascii()), ())
        words.append(Word(kind, english, chinese))
    return words


# Row numbers follow this order.
WORDS = tuple(
    word
    for kind, table in (
        ("living", LIVING),
        ("thing", THINGS),
        ("living adjective", LIVING_ADJECTIVES),
        ("thing adjective", THING_ADJECTIVES),
        ("verb", VERBS),
        ("transitive verb", TRANSITIVE_VERBS),
        ("preposition", PREPOSITIONS),
        ("between", BETWEEN),
        ("and", AND),
        ("determiner", DETERMINERS),
        ("particle", PARTICLE),
        ("coverb", COVERB),
    )
    for word in _words(kind, table)
)

# Every form in either language; none belongs to two words.
_ROWS = {form: row for row, word in enumerate(WORDS) for form in (*word.english, *word.chinese)}


def bare(word: str) -> str:
    """A word as the vocabulary writes it: in lower case, without the punctuation around it."""
    text = unicodedata.normalize("NFKC", word).casefold()
    marks = [not unicodedata.category(char).startswith("P") for char in text]
    return text[marks.index(True) : len(marks) - marks[::-1].index(True)] if True in marks else ""


def row_of(word: str) -> int | None:
    """The row of a word in either language, None for one that is not in the vocabulary."""
    return _ROWS.get(bare(word))


def unknown_words(words: Iterable[str]) -> tuple[str, ...]:
    """Those of `words` that are not in the vocabulary, each once, as they are written."""
    return tuple(dict.fromkeys(word for word in words if row_of(word) is None))
