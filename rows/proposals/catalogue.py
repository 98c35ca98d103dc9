"""Catalogue: columns with well-known names, in English, German, French and Chinese, and their usual declarations.

All of it is public knowledge: the hours of a week, the age that people reach, the lists of standards. Nothing is read
from a file, and the person who declares may change everything.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from discreet.budget.errors import Phrase
from discreet.rows.columns import Category, Date, Kind, Number, Person, YesNo

# --- Countries: the two-letter codes of ISO 3166, which registers use worldwide ---

_CODES = (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY"
    " BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK"
    " FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR"
    " IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK"
    " ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM"
    " PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF"
    " TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
)
COUNTRIES = tuple(_CODES.split())


# --- Spelling: the words in the name of a column, however they are joined ---

SEAMS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SIGNS = re.compile(r"[\W_]+")


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name: `ageAtEntry`, `AGE_AT_ENTRY` and `Age at entry` have the same words."""
    plain = SEAMS.sub(" ", unicodedata.normalize("NFKC", name))
    return tuple(word for word in SIGNS.split(plain.casefold()) if word)


def within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Return whether some words occur in a name, adjacent and in this order."""
    return f" {' '.join(part)} " in f" {' '.join(whole)} "


# with one of these a name means something coarser, or a count, or an identifier: "age group", "number of months"
_COARSER = (
    "group band class category bracket bin code type status id no flag level index std sd change diff delta log z"
    " gruppe klasse kategorie anzahl nummer nr groupe classe catégorie nombre numéro"
    " 组 分组 段 类 类别 编号 等级"
)
OTHERWISE = frozenset(_COARSER.split())


@dataclass(frozen=True)
class WellKnown:
    """Columns with certain names, their declaration, and why that is public."""

    names: tuple[tuple[str, ...], ...]
    column: Kind
    why: Phrase
    whole: bool = False  # only a name that contains nothing else

    @property
    def named(self) -> bool:
        """Whether cells are words or dates rather than numbers."""
        return not self.column.numeric

    def fits(self, spelled: tuple[str, ...], coarser: bool) -> bool:
        """Return whether a name, split into words, is meant; `coarser` if a word in it indicates something coarser."""
        if spelled in self.names:
            return True
        return not self.whole and not coarser and any(within(part, spelled) for part in self.names)


def _of(names: str, column: Kind, why: Phrase, whole: bool = False) -> WellKnown:
    """Build an entry from names that are separated by bars."""
    return WellKnown(tuple(words(name) for name in names.split("|")), column, why, whole)


def _whole(lower: int, upper: int, unit: str = "") -> Number:
    return Number(lower, upper, integer=True, unit=unit)


LETTERS = ("A", "B", "C", "D", "E", "F")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAYS_ZH = ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日")
CALENDAR = Phrase("the calendar")
LIFE = Phrase("human lifespan")
BODY = Phrase("human body measurements")
CLOCK = Phrase("the clock")
WEEK = Phrase("the hours of a week")
SHARE = Phrase("percentages")
STANDARD = Phrase("ISO 3166")
EARTH = Phrase("geographic coordinates")
USUAL = Phrase("common form options (check the spelling)")
FAMILY = Phrase("household sizes")
SCHOOL = Phrase("common grades")
YEARS = Phrase("years within living memory")
TRUTHS = Phrase("a yes/no question")
LONG_AGO = ("1900-01-01", "2100-12-31")

# more specific names come first: "hours per week" is not an "hour"
CATALOGUE = (
    _of(
        "year of birth|birth year|birthyear|yob|geburtsjahr|année de naissance|出生年份|出生年",
        _whole(1900, 2030),
        YEARS,
    ),
    _of(
        "hours per week|weekly hours|work hours|hours worked|wochenstunden|每周工时|每周小时",
        _whole(0, 168, "hours"),
        WEEK,
    ),
    _of(
        "years of education|education years|education num|school years|教育年限|受教育年限",
        _whole(0, 30, "years"),
        SCHOOL,
    ),
    _of(
        "household size|family size|hh size|haushaltsgröße|taille du ménage|家庭人数|家庭规模|家庭人口",
        _whole(1, 20, "people"),
        FAMILY,
    ),
    _of(
        "number of children|children|num children|kids|kinder|kinderzahl|anzahl kinder|enfants|nombre d enfants"
        "|子女数|孩子数",
        _whole(0, 20, "children"),
        FAMILY,
    ),
    _of("age months|age in months|月龄", _whole(0, 240, "months"), LIFE),
    _of("age|age years|alter|lebensalter|âge|年龄|岁数|周岁", _whole(0, 120, "years"), LIFE),
    _of("height cm|größe cm|körpergröße|taille cm|身高|身高 cm", Number(0, 250, 0.1, unit="cm"), BODY),
    _of("height m", Number(0, 2.5, 0.001, unit="m"), BODY),
    _of("weight kg|body weight|gewicht kg|körpergewicht|poids kg|体重|体重 kg", Number(0, 300, 0.1, unit="kg"), BODY),
    _of("bmi|body mass index|体质指数|身体质量指数", Number(5, 100, 0.1), BODY),
    _of("heart rate|pulse|心率|脉搏", _whole(0, 300), BODY),
    _of("systolic|systolic bp|sbp|收缩压", _whole(0, 300, "mmHg"), BODY),
    _of("diastolic|diastolic bp|dbp|舒张压", _whole(0, 200, "mmHg"), BODY),
    _of("body temperature|体温", Number(30, 45, 0.1, unit="°C"), BODY),
    _of("latitude|lat|纬度", Number(-90, 90), EARTH),
    _of("longitude|lon|lng|经度", Number(-180, 180), EARTH),
    _of(
        "percent|percentage|pct|prozent|anteil prozent|pourcentage|百分比|百分率|占比",
        Number(0, 100, 0.01, unit="%", affixes=("%",)),
        SHARE,
    ),
    _of("country code|iso country|iso2|country iso|国家代码", Category(COUNTRIES), STANDARD),
    _of("letter grade", Category(LETTERS), SCHOOL),
    _of("成绩|分数|得分", Number(0, 100, 0.1), SCHOOL),
    _of("sex|gender", Category(("Female", "Male"), other=True), USUAL),
    _of("geschlecht", Category(("w", "m", "d"), other=True), USUAL),
    _of("sexe|genre", Category(("F", "M"), other=True), USUAL),
    _of("性别", Category(("女", "男"), other=True), USUAL),
    _of("weekday|day of week|dow", Category(DAYS), CALENDAR),
    _of("星期|星期几", Category(DAYS_ZH), CALENDAR),
    _of(
        "date of birth|birth date|birthdate|dob|birthday|geburtsdatum|geburtstag|date de naissance|出生日期|生日",
        Date("1900-01-01", "2030-12-31"),
        YEARS,
    ),
    _of("date|datum|日期", Date(*LONG_AGO), CALENDAR),
    _of("day of month", _whole(1, 31), CALENDAR),
    _of("month|monat|mois|月份", _whole(1, 12), CALENDAR, whole=True),
    _of("quarter|quartal|trimestre|季度", _whole(1, 4), CALENDAR, whole=True),
    _of("year|jahr|année|年份", _whole(1900, 2100), CALENDAR, whole=True),
    _of("hour|stunde|heure|小时", _whole(0, 23), CLOCK, whole=True),
    _of("minute|分钟", _whole(0, 59), CLOCK, whole=True),
)
_IDENTIFIERS = (
    "id|person|person id|personid|patient|patient id|patientid|customer|customer id|user|user id|subject|subject id"
    "|patienten|patientin|kunde|versicherte|personne|assuré|identifiant"
    "|member id|participant|participant id|respondent id|student|student id|employee id|client|client id|case id"
    "|household id|pid|mrn|medical record number|ssn|email"
    "|身份证号|身份证|患者编号|客户编号|用户编号|学号|工号|姓名|编号"
)
PERSONS = tuple(words(name) for name in _IDENTIFIERS.split("|"))


# --- Hints: names that suggest a kind, whose bounds or values are not known by the name alone ---


_NUMBERS = (
    "income salary wage wages earnings pay revenue turnover price amount cost rent"
    " einkommen gehalt lohn verdienst umsatz preis betrag kosten miete revenu revenus salaire loyer prix montant"
    " 收入 工资 薪资 价格 金额"
)
_CATEGORIES = (
    "district region state province county city town postcode zip occupation profession nationality department"
    " plz postleitzahl bezirk stadtteil bundesland kanton kreis gemeinde stadt ort beruf branche familienstand"
    " staatsangehörigkeit canton département commune ville quartier 省份 城市 地区 职业"
)
HINTS = {Number.name: frozenset(_NUMBERS.split()), Category.name: frozenset(_CATEGORIES.split())}
SHORTEST_PART = 5
ENDINGS = ("nummer", "kennung", "identifiant")  # of the last word of a name that may identify persons
SPELLINGS = (
    ("Female", "Male"),
    ("F", "M"),
    ("f", "m"),
    ("w", "m", "d"),
    ("weiblich", "männlich", "divers"),
    ("F", "H"),
    ("femme", "homme"),
    ("1", "2"),
)


def likely_kind(name: str) -> str:
    """Return the kind that the name of a column suggests, to be asked about; empty if it suggests none."""
    if names_a_person(name):
        return Person.name
    return next((kind for kind, hints in HINTS.items() if any(map(hints.__contains__, _parts(name)))), "")


def _parts(name: str) -> list[str]:
    """Return the words of a name, and the last parts of words that German joins: `monatseinkommen`."""
    return [word[at:] for word in words(name) for at in range(len(word)) if not at or len(word) - at >= SHORTEST_PART]


def spellings(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the usual spellings of the values of a column, if its name says what the values are."""
    entry = well_known(name)
    return SPELLINGS if entry is not None and vars(entry.column).get("levels") in SPELLINGS else ()


ASKS = (("is",), ("has",), ("did",), ("是否",), ("有无",))
DATED = _of("datum", Date(*LONG_AGO), CALENDAR)  # the end of many German words
ANSWERED = WellKnown(ASKS, YesNo(), TRUTHS)


def well_known(name: str) -> WellKnown | None:
    """Return the entry for the name of a column, or None."""
    spelled = words(name)
    if (len(spelled) > 1 and spelled[:1] in ASKS) or name.startswith(("是否", "有无")):
        return ANSWERED
    coarser = any(word in OTHERWISE for word in spelled)
    found = next((entry for entry in CATALOGUE if entry.fits(spelled, coarser)), None)
    return DATED if found is None and any(word.endswith("datum") for word in spelled) else found


def names_a_person(name: str) -> bool:
    """Return whether a column probably identifies persons, by its name."""
    spelled = words(name)
    last = spelled[-1] if spelled else ""
    return spelled in PERSONS or (len(spelled) > 1 and last in ("id", "nr")) or last.endswith(ENDINGS)
