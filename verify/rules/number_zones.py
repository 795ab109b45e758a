"""Writes domain/rules/number-zones.json from the installed phonenumbers package. Format the file with prettier afterwards."""

import json
from pathlib import Path

import phonenumbers
from phonenumbers.tzdata import TIMEZONE_DATA

prefixes = {}
for prefix, zones in TIMEZONE_DATA.items():
    prefixes.setdefault(" ".join(zones), []).append(int(prefix))
content = {
    "source": "https://github.com/google/libphonenumber/blob/master/resources/timezones/map_data.txt",
    "version": phonenumbers.__version__,
    "license": "Apache-2.0, Copyright The Libphonenumber Authors",
    "prefixes": {zones: sorted(prefixes[zones]) for zones in sorted(prefixes)},
}
file = Path(__file__).resolve().parents[2] / "domain" / "rules" / "number-zones.json"
file.write_text(json.dumps(content, indent=2))
