"""Asks random questions about rule profiles and answers them with phonenumbers and zoneinfo alone. README.md describes the output."""

import argparse
import json
import os
import random
import sys
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path

# Use the package tzdata, not the system's files, whose version depends on the machine.
os.environ["PYTHONTZPATH"] = ""

import zoneinfo  # noqa: E402

zoneinfo.reset_tzpath(to=())
from zoneinfo import ZoneInfo  # noqa: E402

import phonenumbers  # noqa: E402
from phonenumbers import PhoneNumberFormat, PhoneNumberType  # noqa: E402
from phonenumbers.timezone import time_zones_for_geographical_number  # noqa: E402

RULES = Path(__file__).resolve().parents[2] / "domain" / "rules"
REGIONS = (
    "US CA MX BR AR CL GB IE FR DE ES PT IT NL BE CH AT PL SE NO FI DK GR TR RU UA EG MA ZA NG KE IN PK BD CN JP KR AU NZ ID"
).split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
ORDER = "hours holiday max_per_day max_per_7_days min_gap consent zone_unknown".split()
FIRST, LAST = date(2026, 1, 1), date(2028, 12, 31)
MINUTE, HOUR, DAY = 60, 3600, 86400
HORIZON = 400 * DAY
# Zones with unusual clocks, which contacts can name themselves.
OWN_ZONES = (
    "UTC Asia/Kolkata Asia/Kathmandu Australia/Lord_Howe Australia/Adelaide Pacific/Chatham Pacific/Kiritimati Pacific/Niue "
    "America/St_Johns America/Havana America/Santiago Africa/Casablanca Africa/Cairo Asia/Beirut Asia/Gaza America/Scoresbysund "
    "America/Nuuk Antarctica/Troll Europe/Dublin Europe/London America/New_York America/Phoenix Asia/Tehran Etc/GMT+12 EST5EDT"
).split()


@lru_cache(maxsize=None)
def info_of(zone):
    """Keeps every zone, because ZoneInfo itself forgets all but eight."""
    return ZoneInfo(zone)


def ceil_minute(at):
    return -(-at // MINUTE) * MINUTE


class Oracle:
    """Answers questions by the words of the specification, one instant at a time. Instants are seconds."""

    def __init__(self, profile):
        self.profile = profile
        self.hours = {
            WEEKDAYS.index(day): [tuple(int(t[:2]) * 60 + int(t[3:]) for t in pair) for pair in pairs]
            for day, pairs in profile["hours"].items()
        }
        self.holidays = {date.fromisoformat(day) for day in profile["holiday_dates"]}
        self.starts = sorted({0} | {start for pairs in self.hours.values() for start, _ in pairs})

    def refusals(self, zones, at, attempts, consent):
        """Attempts after the question's instant must already be left out."""
        profile, refused = self.profile, set()
        walls = [datetime.fromtimestamp(at, info_of(zone)) for zone in zones]
        for zone, wall in zip(zones, walls):
            day, minute = wall.date(), wall.hour * 60 + wall.minute
            if not any(start <= minute < end for start, end in self.hours.get(wall.weekday(), [])):
                refused.add("hours")
            if day in self.holidays:
                refused.add("holiday")
            most = profile["max_per_day"]
            if most is not None:
                dates = [datetime.fromtimestamp(each, info_of(zone)).date() for each in attempts]
                if dates.count(day) >= most:
                    refused.add("max_per_day")
        most = profile["max_per_7_days"]
        if most is not None and sum(at - 168 * HOUR < each <= at for each in attempts) >= most:
            refused.add("max_per_7_days")
        if attempts and at - max(attempts) < profile["min_gap_minutes"] * MINUTE:
            refused.add("min_gap")
        if profile["consent"] == "required" and not consent:
            refused.add("consent")
        differ = len({wall.replace(tzinfo=None) for wall in walls}) > 1
        if not zones or (differ and profile["ambiguous_zone"] == "skip"):
            refused.add("zone_unknown")
        return [rule for rule in ORDER if rule in refused]

    def could_only_lack_consent(self, zones, at, attempts):
        return not set(self.refusals(zones, at, attempts, True)) - {"zone_unknown"}

    def next_allowed(self, zones, at, attempts):
        """Tries every instant at which a refusal can end, in order."""
        if self.profile["max_per_7_days"] == 0 or zones and (self.profile["max_per_day"] == 0 or not any(self.hours.values())):
            return None
        limit = at + HORIZON
        fixed = {ceil_minute(at)} | {ceil_minute(each + 168 * HOUR) for each in attempts}
        if attempts:
            fixed.add(ceil_minute(max(attempts) + self.profile["min_gap_minutes"] * MINUTE))
        fixed = {each for each in fixed if ceil_minute(at) <= each <= limit}
        first = datetime.fromtimestamp(at, timezone.utc).date()
        for ahead in range(402):
            start = int(datetime.combine(first + timedelta(ahead), datetime.min.time(), timezone.utc).timestamp())
            here = {each for each in fixed if start <= each < start + DAY}
            for zone in zones:
                here |= openings(zone, start, tuple(self.starts))
            for instant in sorted(here):
                if ceil_minute(at) <= instant <= limit and self.could_only_lack_consent(zones, instant, attempts):
                    return instant
        return None

    def next_allowed_by_minutes(self, zones, at, attempts, most):
        """Tries every minute. Slow, it checks `next_allowed`."""
        for instant in range(ceil_minute(at), most, MINUTE):
            if self.could_only_lack_consent(zones, instant, attempts):
                return instant
        return None


@lru_cache(maxsize=200_000)
def openings(zone, start, starts):
    """Returns the instants of a UTC day at which the wall clock shows a start, or at which it changes."""
    info, found = info_of(zone), set(each for each in changes(zone) if start <= each < start + DAY)
    first = datetime.fromtimestamp(start, info).date()
    for offset in (0, 1):
        day = first + timedelta(offset)
        for minute in starts:
            for fold in (0, 1):
                wall = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=info, fold=fold)
                found.add(int(wall.timestamp()))
    return frozenset(ceil_minute(each) for each in found if start <= ceil_minute(each) < start + DAY)


@lru_cache(maxsize=None)
def changes(zone):
    """Returns the instants from 2025 to 2030 at which the zone's offset changes."""
    info, found = info_of(zone), []
    offset = lambda at: datetime.fromtimestamp(at, info).utcoffset()  # noqa: E731
    at = int(datetime(2025, 1, 1, tzinfo=timezone.utc).timestamp())
    while at < datetime(2031, 1, 1, tzinfo=timezone.utc).timestamp():
        if offset(at) != offset(at + DAY):
            low, high = at, at + DAY
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
            found.append(high)
        at += DAY
    return found


@lru_cache(maxsize=None)
def zones_of(number):
    zones = time_zones_for_geographical_number(phonenumbers.parse(number))
    return () if zones == ("Etc/Unknown",) else tuple(zones)


def shipped_profiles():
    holidays = json.loads((RULES / "holidays.json").read_text())
    for file in sorted((RULES / "profiles").glob("*.json")):
        fields = json.loads(file.read_text())
        country = fields.pop("holidays")["value"]
        fields.pop("title")
        profile = {name: field["value"] for name, field in fields.items()}
        yield file.stem, {**profile, "holiday_dates": list(holidays[country]["dates"]) if country else []}


def random_profile(rng, holiday_dates):
    """Starts come from a short list, so that `openings` is often cached."""
    times = ["00:00", "00:30", "02:00", "02:30", "08:00", "09:00", "12:00", "17:15", "23:00"]
    ends = ["00:45", "01:30", "02:45", "03:00", "11:59", "13:00", "18:00", "20:00", "21:00", "23:59", "24:00"]
    pairs = [[start, end] for start in times for end in ends if start < end]
    open_days = rng.sample(WEEKDAYS, rng.choice([0, 1, 3, 5, 6, 7, 7, 7]))
    return {
        "hours": {day: rng.sample(pairs, rng.choice([0, 1, 1, 1, 2, 3])) for day in open_days},
        "holiday_dates": rng.choice([[], holiday_dates, rng.sample(holiday_dates, 5)]),
        "ambiguous_zone": rng.choice(["strictest", "skip"]),
        "max_per_day": rng.choice([None, None, 0, 1, 2, 3]),
        "max_per_7_days": rng.choice([None, None, 0, 1, 3, 7]),
        "min_gap_minutes": rng.choice([0, 0, 1, 30, 240, 1440, 10_000]),
        "consent": rng.choice(["none", "required"]),
        "disclosure": None,
        "caller_id_prefixes": None,
    }


def numbers_of(rng, region):
    """Returns valid numbers of all types that the region has."""
    found = set()
    for kind in PhoneNumberType.values():
        example = phonenumbers.example_number_for_type(region, kind)
        if example is None:
            continue
        text = phonenumbers.format_number(example, PhoneNumberFormat.E164)
        found.add(text)
        code = len(str(example.country_code)) + 1
        for _ in range(60):
            kept = rng.randrange(code, len(text))
            other = text[:kept] + "".join(rng.choice("0123456789") for _ in text[kept:])
            # The API accepts any number in the form of E.164, so a few are invalid.
            if phonenumbers.is_valid_number(phonenumbers.parse(other)) or rng.random() < 0.05:
                found.add(other)
    return sorted(found)


def changes_between(zone):
    """Returns the zone's changes within the years of the questions."""
    return [each for each in changes(zone) if day_start(FIRST) + DAY <= each < day_start(LAST)]


class Questions:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        shipped = dict(shipped_profiles())
        holiday_dates = sorted({day for profile in shipped.values() for day in profile["holiday_dates"]})
        self.holiday_dates = [day for day in map(date.fromisoformat, holiday_dates) if FIRST <= day <= LAST]
        own = [random_profile(self.rng, holiday_dates) for _ in range(60)]
        self.profiles = list(shipped) + own
        self.oracles = [Oracle(profile) for profile in list(shipped.values()) + own]
        # Satellite phones and international toll-free numbers have no zone.
        self.numbers = [numbers_of(self.rng, region) for region in REGIONS] + [["+870773111632", "+80012345678"]]

        # Asked once each, before the random questions.
        self.changes = [(zone, change) for zone in self.zones() for change in changes_between(zone)]
        self.rng.shuffle(self.changes)

    def zones(self):
        """Returns all zones of the questions."""
        return sorted(set(OWN_ZONES).union(*(zones_of(number) for region in self.numbers for number in region)))

    def instant(self, zones):
        rng = self.rng
        kind = rng.random()
        moments = [each for zone in zones[:3] for each in changes_between(zone)]
        if kind < 0.35 and moments:
            at = rng.choice(moments) + rng.choice([-1, 0, 1, 0, 0]) * rng.randrange(36 * HOUR)
        else:
            day = rng.choice(self.holiday_dates) if kind < 0.55 else FIRST + timedelta(rng.randrange((LAST - FIRST).days + 1))
            at = int(datetime.combine(day, datetime.min.time(), timezone.utc).timestamp()) + rng.randrange(-DAY, 2 * DAY)
        at = min(max(at, day_start(FIRST)), day_start(LAST) + DAY - 1)
        return at if rng.random() < 0.3 else at - at % rng.choice([MINUTE, MINUTE, 15 * MINUTE])

    def attempts(self, at, profile):
        rng = self.rng
        gap = profile["min_gap_minutes"] * MINUTE
        kinds = [
            lambda: at - rng.randrange(9 * DAY),
            lambda: at - rng.randrange(DAY),
            lambda: at - rng.randrange(2 * HOUR),
            lambda: at - 168 * HOUR + rng.choice([-1, 0, 1]),
            lambda: at - gap + rng.choice([-1, 0, 1]),
            lambda: at,
            lambda: at + rng.randrange(1, DAY),
        ]
        return [rng.choice(kinds)() for _ in range(rng.choice([0, 0, 0, 1, 2, 4, 8]))]

    def ask(self):
        rng = self.rng
        which = rng.randrange(5) if rng.random() < 0.3 else rng.randrange(len(self.profiles))
        oracle = self.oracles[which]
        region = rng.choice(self.numbers)
        number = rng.choice(region)
        own_zone, change = self.changes.pop() if self.changes else (rng.choice(OWN_ZONES) if rng.random() < 0.25 else None, None)
        zones = zones_of(number) if own_zone is None else (own_zone,)
        if len(zones) > 8 and rng.random() < 0.9:
            return self.ask()
        at = self.instant(zones) if change is None else change + rng.randrange(-DAY, DAY)
        attempts, consent = self.attempts(at, oracle.profile), rng.random() < 0.5
        made = [each for each in attempts if each <= at]
        next_allowed = oracle.next_allowed(zones, at, made)
        if rng.random() < 0.0005:
            until = min(at + 5 * DAY, HORIZON + at if next_allowed is None else next_allowed + MINUTE)
            by_minutes = oracle.next_allowed_by_minutes(zones, at, made, until)
            assert by_minutes == (None if next_allowed is None or next_allowed >= until else next_allowed), (number, at)
        question = {"toNumber": number, "at": at, "attempts": attempts, "consent": consent, "timezone": own_zone}
        refused = oracle.refusals(zones, at, made, consent)
        source = "contact" if own_zone else "number" if zones else "none"
        return [which, question, [refused, zones, source, next_allowed]]


@lru_cache(maxsize=None)
def day_start(day):
    return int(datetime.combine(day, datetime.min.time(), timezone.utc).timestamp())


def offsets(zone):
    """Returns the zone's offsets around its changes and every ten days, for a comparison with Node's data."""
    info = info_of(zone)
    instants = set(range(day_start(FIRST), day_start(LAST) + HORIZON, 10 * DAY))
    instants |= {each + change for each in changes(zone) for change in (-1, 0)}
    return [[at, int(datetime.fromtimestamp(at, info).utcoffset().total_seconds())] for at in sorted(instants)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    questions = Questions(options.seed)
    write = sys.stdout.write
    write(json.dumps({"profiles": questions.profiles, "offsets": {zone: offsets(zone) for zone in questions.zones()}}) + "\n")
    for _ in range(options.questions):
        write(json.dumps(questions.ask(), separators=(",", ":")) + "\n")


main()
