"""A plugin to start from: it greets people in a project and counts how often it did."""

from pathlib import Path

from galley import Plugin, Refused, Request, batch

plugin = Plugin("hello", "0.1.0")
plugin.migration(1, (Path(__file__).parent / "migrations/1.sql").read_text())

GREETED = """INSERT INTO greetings (project_id, name) VALUES (?1, ?2)
             ON CONFLICT (project_id, name) DO UPDATE SET times = greetings.times + 1 RETURNING times"""


@plugin.route(
    "POST",
    "/api/v1/projects/{project}/x/hello",
    summary="Greet somebody",
    guard={"kind": "project:comment"},
    body={"kind": "json"},
)
def greet(request: Request) -> dict:
    """`{ "name": "Ann" }` is answered with `{ "greeting": "Hello, Ann!", "times": 1 }`."""
    name = request.json().get("name")
    if not isinstance(name, str):
        raise Refused(400, "`name` must be a string")
    name = name.strip()
    if not name:
        raise Refused(400, "`name` must not be empty")
    [[(times,)]] = batch((GREETED, request.project, name))
    return {"greeting": f"Hello, {name}!", "times": times}


Handler = plugin.export()
