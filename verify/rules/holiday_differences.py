"""Prints how domain/rules/holidays.json differs from the Python package holidays and the npm package date-holidays, as Markdown."""

import json
import subprocess
import sys
from pathlib import Path

import holidays

REVIEWED = json.loads((Path(__file__).resolve().parents[2] / "domain" / "rules" / "holidays.json").read_text())
NATIONS = {"US": [None], "IN": [None], "GB": ["ENG", "WLS", "SCT", "NIR"]}
# Prints the public holidays of all nations by country, as {country: {date: name}}.
NPM = """
const Holidays = require('date-holidays');
const [nations, years] = process.argv.slice(1).map((text) => JSON.parse(text));
const found = {};
for (const [country, regions] of Object.entries(nations)) {
  found[country] = {};
  for (const region of regions)
    for (const year of years)
      for (const { date, name, type } of new Holidays(country, region ?? undefined).getHolidays(year))
        if (type === 'public') found[country][date.slice(0, 10)] ??= name;
}
console.log(JSON.stringify(found));
"""


def from_python(country, years):
    found = {}
    for nation in NATIONS[country]:
        for day, name in holidays.country_holidays(country, subdiv=nation, years=years).items():
            found.setdefault(day.isoformat(), name)
    return found


def from_npm(folder, years):
    """date-holidays is installed in the folder."""
    names = {"GB": ["ENG", "WLS", "SCT", "NIR"], "US": [None], "IN": [None]}
    command = ["node", "-e", NPM, json.dumps(names), json.dumps(years)]
    return json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout)


def rows(reviewed, library):
    only_here = sorted(set(reviewed) - set(library))
    only_there = sorted(set(library) - set(reviewed))
    return [("this file", day, reviewed[day]) for day in only_here] + [("the library", day, library[day]) for day in only_there]


def main():
    npm_folder = sys.argv[1]
    years = sorted({int(day[:4]) for country in REVIEWED.values() for day in country["dates"]})
    npm = from_npm(npm_folder, years)
    for country in NATIONS:
        for title, library in (("holidays", from_python(country, years)), ("date-holidays", npm[country])):
            by_name = {}
            for where, day, name in rows(REVIEWED[country]["dates"], library):
                by_name.setdefault((where, name), []).append(day)
            for (where, name), days in by_name.items():
                print(f"| {country} | `{title}` | {where} | {name} | {', '.join(days)} |")


main()
