"""The English sentences that trained heads are shown on, chosen by, and measured on; the last two share no sentence.

Words are parted by spaces, marks included, so that a word is never measured together with a mark. A pair
"old>farmer" names two words of its sentence, the one that looks and the one looked at; "the#2" is the second "the".
"""

from dataclasses import dataclass

# What the films show. Its weights are not part of any score.
RUNNING = "The tired cat sat on the warm mat"
TWO_ADJECTIVES = "The small tired cat sat on the soft warm mat"
DOG_BITES, MAN_BITES = "dog bites man", "man bites dog"
IT_TIRED = "The animal didn't cross the street because it was too tired"
IT_WIDE = "The animal didn't cross the street because it was too wide"
MAKING = (
    "It is in this spirit that a majority of American governments have passed new laws since 2009 making the "
    "registration or voting process more difficult ."
)
SHOWN = (RUNNING, TWO_ADJECTIVES, DOG_BITES, MAN_BITES, IT_TIRED, IT_WIDE, MAKING)


@dataclass(frozen=True)
class Annotated:
    """A sentence and its pairs of words, each (looks, looked at) by place: by relation."""

    text: str
    determiner: tuple[tuple[int, int], ...]
    adjective: tuple[tuple[int, int], ...]
    subject: tuple[tuple[int, int], ...]
    related: tuple[tuple[int, int], ...]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.split())


@dataclass(frozen=True)
class Apart:
    """A sentence with words that should look past a nearer one; by triple, the places (looks, nearer, looked at)."""

    text: str
    triples: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Pronoun:
    """Two sentences that differ in one word, by which "it" means the first noun or the second; with their places."""

    texts: tuple[str, str]
    it: int
    nouns: tuple[int, int]


def _place(words: list[str], name: str) -> int:
    word, _, count = name.partition("#")
    places = [i for i, other in enumerate(words) if other == word]
    if len(places) < int(count or 1) or (not count and len(places) > 1):
        raise ValueError(f"{name!r} is not one word of {' '.join(words)!r}")
    return places[int(count or 1) - 1]


def _pairs(words: list[str], text: str) -> tuple[tuple[int, int], ...]:
    pairs = (pair.split(">") for pair in text.split())
    return tuple((_place(words, looks), _place(words, looked_at)) for looks, looked_at in pairs)


def _annotated(text: str, determiner: str, adjective: str, subject: str, related: str) -> Annotated:
    words = text.split()
    return Annotated(text, *(_pairs(words, pairs) for pairs in (determiner, adjective, subject, related)))


def _apart(text: str, *triples: str) -> Apart:
    words = text.split()
    found = [[_place(words, name) for name in triple.split()] for triple in triples]
    return Apart(text, tuple((looks, nearer, looked_at) for looks, nearer, looked_at in found))


def _pronoun(text: str, endings: tuple[str, str], nouns: str) -> Pronoun:
    words = text.split()
    first, second = (_place(words, noun) for noun in nouns.split())
    return Pronoun((f"{text} {endings[0]}", f"{text} {endings[1]}"), _place(words, "it"), (first, second))


# By these the heads were chosen.
CHOOSING = (
    _annotated(
        "The old farmer repaired the broken fence , and the cows stayed in the field .",
        "The>farmer the#1>fence the#2>cows the#3>field",
        "old>farmer broken>fence",
        "repaired>farmer stayed>cows",
        "cows>farmer field>farmer",
    ),
    _annotated(
        "A young nurse gave the patient a bitter pill .",
        "A>nurse the>patient a>pill",
        "young>nurse bitter>pill",
        "gave>nurse",
        "patient>nurse pill>patient",
    ),
    _annotated(
        "When the heavy rain stopped , children ran to the green park .",
        "the#1>rain the#2>park",
        "heavy>rain green>park",
        "stopped>rain ran>children",
        "park>children",
    ),
    _annotated(
        "My brother painted a large ship on the kitchen wall .",
        "a>ship the>wall My>brother",
        "large>ship",
        "painted>brother",
        "",
    ),
    _annotated(
        "The angry customer returned the cheap phone to this shop .",
        "The>customer the>phone this>shop",
        "angry>customer cheap>phone",
        "returned>customer",
        "shop>customer",
    ),
    _annotated(
        "Every winter , a strong wind blows over the empty beach .",
        "Every>winter a>wind the>beach",
        "strong>wind empty>beach",
        "blows>wind",
        "",
    ),
    _annotated(
        "The famous singer forgot her words during the final concert .",
        "The>singer the>concert her>words",
        "famous>singer final>concert",
        "forgot>singer",
        "concert>singer words>singer",
    ),
    _annotated(
        "In the quiet library , one student read a thick book .",
        "the>library a>book one>student",
        "quiet>library thick>book",
        "read>student",
        "book>library book>student",
    ),
    _annotated(
        "The clever thief opened the iron safe without a key .",
        "The>thief the>safe a>key",
        "clever>thief",
        "opened>thief",
        "safe>thief key>safe",
    ),
    _annotated(
        "Our teacher told a funny story , but the shy boy did not laugh .",
        "a>story the>boy Our>teacher",
        "funny>story shy>boy",
        "told>teacher laugh>boy",
        "laugh>story boy>teacher",
    ),
    _annotated(
        "The golden coin lay under a wooden table for years .",
        "The>coin a>table",
        "golden>coin wooden>table",
        "lay>coin",
        "",
    ),
    _annotated(
        "A hungry wolf followed the frozen river , looking for fish .",
        "A>wolf the>river",
        "hungry>wolf frozen>river",
        "followed>wolf",
        "fish>river",
    ),
)

# On these the chosen heads were measured.
HELD_OUT = (
    _annotated(
        "The brave soldier carried his wounded friend across the narrow bridge .",
        "The>soldier his>friend the>bridge",
        "brave>soldier wounded>friend narrow>bridge",
        "carried>soldier",
        "",
    ),
    _annotated(
        "A small bird built its nest in the tall tree .",
        "A>bird the>tree its>nest",
        "small>bird tall>tree",
        "built>bird",
        "nest>bird tree>nest",
    ),
    _annotated(
        "The busy chef cooked a delicious soup , then he washed the dirty pans .",
        "The>chef a>soup the>pans",
        "busy>chef delicious>soup dirty>pans",
        "cooked>chef washed>he",
        "soup>chef pans>soup",
    ),
    _annotated(
        "Yesterday the new doctor visited our local hospital .",
        "the>doctor our>hospital",
        "new>doctor local>hospital",
        "visited>doctor",
        "hospital>doctor",
    ),
    _annotated(
        "The lazy dog slept near a warm fire all evening .",
        "The>dog a>fire",
        "lazy>dog warm>fire",
        "slept>dog",
        "",
    ),
    _annotated(
        "An honest judge read the long letter , and the crowd was silent .",
        "An>judge the#1>letter the#2>crowd",
        "honest>judge long>letter",
        "read>judge was>crowd",
        "",
    ),
    _annotated(
        "The blue car stopped behind a yellow bus .",
        "The>car a>bus",
        "blue>car yellow>bus",
        "stopped>car",
        "bus>car",
    ),
    _annotated(
        "Her little sister lost the silver ring at the crowded market .",
        "Her>sister the#1>ring the#2>market",
        "little>sister silver>ring crowded>market",
        "lost>sister",
        "",
    ),
    _annotated(
        "At night , the bright moon shines on the calm sea .",
        "the#1>moon the#2>sea",
        "bright>moon calm>sea",
        "shines>moon",
        "moon>night sea>moon",
    ),
    _annotated(
        "The nervous pilot landed the damaged plane in a muddy field .",
        "The>pilot the>plane a>field",
        "nervous>pilot damaged>plane muddy>field",
        "landed>pilot",
        "plane>pilot",
    ),
    _annotated(
        "A tiny mouse ate the fresh cheese , but no cat saw the mouse .",
        "A>mouse#1 the#1>cheese no>cat the#2>mouse#2",
        "tiny>mouse#1 fresh>cheese",
        "ate>mouse#1 saw>cat",
        "cheese>mouse#1 cat>mouse#1",
    ),
    _annotated(
        "The rich merchant sold expensive carpets to every visitor .",
        "The>merchant every>visitor",
        "rich>merchant expensive>carpets",
        "sold>merchant",
        "carpets>merchant",
    ),
    _annotated(
        "Two workers moved the round stone with a rusty chain .",
        "the>stone a>chain Two>workers",
        "round>stone rusty>chain",
        "moved>workers",
        "",
    ),
    _annotated(
        "The gentle mother sang a sad song , so the baby slept .",
        "The>mother a>song the>baby",
        "gentle>mother sad>song",
        "sang>mother slept>baby",
        "song>sang baby>mother",
    ),
    _annotated(
        "During the cold war , many spies crossed this secret border .",
        "the>war this>border many>spies",
        "cold>war secret>border",
        "crossed>spies",
        "spies>war border>war",
    ),
    _annotated(
        "The curious girl found an ancient map inside the dusty box .",
        "The>girl an>map the>box",
        "curious>girl ancient>map dusty>box",
        "found>girl",
        "",
    ),
    _annotated(
        "A wise king ruled the northern island for a long time .",
        "A>king the>island a>time",
        "wise>king northern>island long>time",
        "ruled>king",
        "island>king",
    ),
    _annotated(
        "The loud engine woke the sleepy passengers , who wanted some coffee .",
        "The>engine the>passengers some>coffee",
        "loud>engine sleepy>passengers",
        "woke>engine",
        "passengers>engine",
    ),
    _annotated(
        "Their proud coach praised the fast runner after the difficult race .",
        "Their>coach the#1>runner the#2>race",
        "proud>coach fast>runner difficult>race",
        "praised>coach",
        "race>runner runner>coach",
    ),
    _annotated(
        "The black horse jumped over a low wall .",
        "The>horse a>wall",
        "black>horse low>wall",
        "jumped>horse",
        "",
    ),
    _annotated(
        "In spring , the careful gardener planted red roses beside the white house .",
        "the#1>gardener the#2>house",
        "careful>gardener red>roses white>house",
        "planted>gardener",
        "roses>gardener house>gardener",
    ),
    _annotated(
        "A kind neighbor fixed the wet roof before the storm came .",
        "A>neighbor the#1>roof the#2>storm",
        "kind>neighbor wet>roof",
        "fixed>neighbor came>storm",
        "roof>storm",
    ),
    _annotated(
        "The modern museum shows a rare painting , and its tickets are free .",
        "The>museum a>painting its>tickets",
        "modern>museum rare>painting",
        "shows>museum are>tickets",
        "painting>museum tickets>museum",
    ),
    _annotated(
        "That poor man sold his last sheep to a greedy trader .",
        "That>man his>sheep a>trader",
        "poor>man last>sheep greedy>trader",
        "sold>man",
        "trader>sheep",
    ),
)

# Two adjectives before a noun: the first looks past the second at the noun, which a next-word head does not.
ADJECTIVES_CHOOSING = (
    _apart("A large gray cloud hid the pale round moon .", "large gray cloud", "pale round moon"),
    _apart("The good old king had a sharp steel sword .", "good old king", "sharp steel sword"),
    _apart("Some noisy young birds sat on the bare brown branch .", "noisy young birds", "bare brown branch"),
    _apart("The sweet ripe fruit fell into a deep dark hole .", "sweet ripe fruit", "deep dark hole"),
)
ADJECTIVES_HELD_OUT = (
    _apart("The small brown dog chased a big fat rabbit .", "small brown dog", "big fat rabbit"),
    _apart("An old rich lady bought the lovely red dress .", "old rich lady", "lovely red dress"),
    _apart("The tall quiet man wore a long black coat .", "tall quiet man", "long black coat"),
    _apart("A strange loud noise came from the dark empty house .", "strange loud noise", "dark empty house"),
    _apart("The happy young couple rented a cheap little flat .", "happy young couple", "cheap little flat"),
    _apart("A fierce cold wind shook the tiny wooden boat .", "fierce cold wind", "tiny wooden boat"),
)

# A noun between subject and verb: the verb looks past it, which a previous-word head does not.
SUBJECTS_CHOOSING = (
    _apart("The boy with the red cars laughed .", "laughed cars boy"),
    _apart("The keys to the old house fell .", "fell house keys"),
    _apart("The dog beside the trees barked .", "barked trees dog"),
    _apart("A woman from the northern villages smiled .", "smiled villages woman"),
    _apart("The price of the new phones rose .", "rose phones price"),
    _apart("The teacher of my sons resigned .", "resigned sons teacher"),
)
SUBJECTS_HELD_OUT = (
    _apart("The cat behind the boxes slept .", "slept boxes cat"),
    _apart("A box of green apples arrived .", "arrived apples box"),
    _apart("The captain of the ships shouted .", "shouted ships captain"),
    _apart("The girls near the fountain danced .", "danced fountain girls"),
    _apart("The owner of the small shops left .", "left shops owner"),
    _apart("A letter from my parents came .", "came parents letter"),
    _apart("The windows of the tower broke .", "broke tower windows"),
    _apart("The soldier among the prisoners coughed .", "coughed prisoners soldier"),
)

# "It" means the first noun with the first ending, the second with the second.
PRONOUNS_CHOOSING = (
    _pronoun("The trophy did not fit in the suitcase because it was too", ("large", "small"), "trophy suitcase"),
    _pronoun("The ball crashed through the table because it was made of", ("steel", "paper"), "ball table"),
    _pronoun("The truck could not cross the bridge because it was too", ("heavy", "weak"), "truck bridge"),
    _pronoun("The piano would not go through the door because it was too", ("big", "narrow"), "piano door"),
)
PRONOUNS_HELD_OUT = (
    _pronoun("The animal didn't cross the street because it was too", ("tired", "wide"), "animal street"),
    _pronoun("The rope could not lift the crate because it was too", ("thin", "heavy"), "rope crate"),
    _pronoun("Water ran from the bottle into the cup until it was", ("empty", "full"), "bottle cup"),
    _pronoun("The fish ate the worm because it was", ("hungry", "tasty"), "fish worm"),
    _pronoun("The sword could not cut the shield because it was too", ("dull", "hard"), "sword shield"),
    _pronoun("The plane could not land on the runway because it was too", ("large", "short"), "plane runway"),
    _pronoun("The sofa would not fit in the room because it was too", ("long", "small"), "sofa room"),
    _pronoun("The arrow did not hit the target because it was too", ("slow", "far"), "arrow target"),
)
