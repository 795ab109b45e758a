"""Sends the requests on standard input through the client, and prints the responses. The product's own tests run this."""

import json
import sys
import urllib.request

from voice_agent_platform import Client, Retries, captions

given = json.load(sys.stdin)
answers = []


def open_url(request, timeout):
    response = urllib.request.urlopen(request, timeout=timeout)
    answers.append({"status": response.status, "type": response.headers.get("Content-Type")})
    return response


client = Client(given["base_url"], given["api_key"], retries=Retries(attempts=1), open_url=open_url)
for request in given["requests"]:
    options = {name: request[name] for name in ("path", "query", "body") if request.get(name)}
    if "csv_file" in options.get("body", {}):
        options["body"]["csv_file"] = ("contacts.csv", options["body"]["csv_file"].encode())
    if request["is_download"]:
        with client.download(request["template"], **options) as response:
            answers[-1]["body"] = response.read().decode("utf-8", "replace")
    else:
        body = getattr(client, request["method"])(request["template"], **options)
        answers[-1]["body"] = body

listed = [agent["id"] for agent in client.each("/api/agents", query={"page_size": 1})]
frames = list(captions(given["captions"]))
json.dump({"answers": answers[: len(given["requests"])], "listed": listed, "frames": frames}, sys.stdout)
