-- What Anki has once in a collection, in version 11 of its tables: our type of notes, our deck, and nothing else.
-- By the numbers 1764147600063 and ...064 Anki knows the type and the deck again: never change them.
CREATE TABLE col (id integer PRIMARY KEY, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags);
CREATE TABLE notes (
  id integer PRIMARY KEY, guid, mid DEFAULT 1764147600063, mod, usn DEFAULT -1, tags, flds, sfld, csum DEFAULT 0,
  flags DEFAULT 0, data DEFAULT ''
);
CREATE TABLE cards (
  id integer PRIMARY KEY, nid, did DEFAULT 1764147600064, ord DEFAULT 0, mod, usn DEFAULT -1, type DEFAULT 0,
  queue DEFAULT 0, due, ivl DEFAULT 0, factor DEFAULT 0, reps DEFAULT 0, lapses DEFAULT 0, left DEFAULT 0,
  odue DEFAULT 0, odid DEFAULT 0, flags DEFAULT 0, data DEFAULT ''
);
CREATE TABLE revlog (id integer PRIMARY KEY, cid, usn, ease, ivl, lastIvl, factor, time, type);
CREATE TABLE graves (usn, oid, type);
INSERT INTO col VALUES (1, 1764147600, 1764147600000, 1764147600000, 11, 0, 0, 0, '{}', '{
  "1764147600063": {
    "id": 1764147600063, "name": "Backgammon (gammonrules)", "mod": 1764147600, "usn": -1,
    "type": 0, "sortf": 0, "did": 1764147600064, "req": [],
    "flds": [
      {"name": "Board", "ord": 0, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "Question", "ord": 1, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "Best board", "ord": 2, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "Best", "ord": 3, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "You", "ord": 4, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "Why", "ord": 5, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "Others", "ord": 6, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "Kind", "ord": 7, "font": "Arial", "size": 20, "sticky": false, "rtl": false},
      {"name": "XGID", "ord": 8, "font": "Arial", "size": 20, "sticky": false, "rtl": false}
    ],
    "tmpls": [{
      "name": "Card", "ord": 0,
      "qfmt": "{{Board}}<p>{{Question}}</p>",
      "afmt": "{{#Best board}}{{Best board}}{{/Best board}}{{^Best board}}{{Board}}{{/Best board}}<p>{{Question}}</p><hr id=answer><p><b>{{Best}}</b></p><p>You: {{You}}</p>{{#Why}}<p>The best play has {{Why}}.</p>{{/Why}}{{Others}}<p><small>{{Kind}} · {{XGID}}</small></p>"
    }],
    "css": ".card { font: 18px sans-serif; text-align: center; color: black; background: white } img { width: min(100%, 640px, 95vh) } table { margin: auto } td, th { padding: 0 .3em; font-size: 14px; text-align: right } td:first-child, th:first-child { text-align: left; white-space: nowrap }"
  }
}', '{
  "1764147600064": {
    "id": 1764147600064, "name": "Backgammon mistakes", "mod": 1764147600, "usn": -1,
    "dyn": 0, "conf": 1, "desc": "", "collapsed": false, "extendNew": 0, "extendRev": 0,
    "newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0]
  }
}', '{}', '{}');
