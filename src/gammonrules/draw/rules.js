// The rules of backgammon for JavaScript, of gammonrules: docs/reference/rules-js.md

"use strict";

const RULES = (() => {
  const BAR = 25;
  const SLOTS = 26;
  const ID_LENGTH = 14;
  const LONGEST_ID = 1e4; // characters of a text around one
  const LONGEST_ROLL = 20; // characters
  const MARKS = ")(* _\x60\x22'<[>]~{}"; // around an identifier
  const OPENING = `[${MARKS.slice(1, 10)}]*`; // those before it
  const LABEL = new RegExp(`^(?:GNU Backgammon )?Pos(?:ition)?[ -]?ID(?![A-Z0-9+/-])${OPENING}[:=]?${OPENING}`, "i");
  const MOST = 15; // checkers of each player
  const DEEPEST = 6; // of perft
  const CODE = "CODE"; // rules.wasm as text; rules_js() puts it here

  const frozen = Object.freeze;

  /** One class for all files of the library that a page has. */
  const GammonError = (globalThis[Symbol.for("GammonError")] ??= class extends Error {
    name = "GammonError";
  });

  function fail(sentence, facts) {
    throw Object.assign(new GammonError(sentence), facts);
  }

  /** The same function, which throws nothing but errors of ours, also where getters do. */
  const guarded = (call) => (...args) => {
    try {
      return call(...args);
    } catch (cause) {
      throw cause instanceof GammonError ? cause : new GammonError("this cannot be read, since reading it fails", { cause });
    }
  };

  // --- text as people paste it: _shared/pasted_text.py ---

  const SIGNS = {
    "-": "\u2010-\u2015\u2212\ufe58\ufe63",
    "/": "\u2044\u2215\u2192\u21d2\u2794\u279c-\u279e\u27a1\u27f6",
    "*": "\u2217\u204e",
    "\x22": "\u201c-\u201f\u00ab\u00bb",
    "'": "\u2018-\u201b\u2039\u203a",
    "": "\u00ad\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff",
    " ": "\\s\x1c-\x1f\x85",
  };

  const WIDE = new RegExp("[\uff01-\uff5e]", "g"); // the full-width forms of ASCII

  /** The text with the signs of a keyboard, and single blanks between its words. */
  function plainSigns(text) {
    const isPlain = !/[^\x20-~]/.test(text); // as nearly all are
    return (isPlain ? text : withSigns(text)).split(" ").filter(Boolean).join(" ");
  }

  function withSigns(text) {
    let plain = text.replace(WIDE, (wide) => wide.normalize("NFKC"));
    for (const [sign, others] of Object.entries(SIGNS)) plain = plain.replace(new RegExp(`[${others}]`, "g"), sign);
    return plain;
  }

  /** A text without any of these signs around it, nor what ends a sentence behind it. */
  function within(text, signs) {
    let start = 0;
    let end = text.length;
    while (start < end && signs.includes(text[start])) start += 1;
    while (start < end && (signs + ".,;!?").includes(text[end - 1])) end -= 1;
    return text.slice(start, end);
  }

  /** A text in plain signs, without quotes, brackets and Markdown around it. */
  const unwrapped = (text) => within(plainSigns(text), MARKS);

  /** A text as messages show it: quoted as in Python, and shortened. */
  function quoted(text, width = 40) {
    const signs = [...text.slice(0, 3 * width)].slice(0, width + 1);
    const quote = signs.includes("'") && !signs.includes(`"`) ? `"` : "'";
    const whole = [...quote + signs.map((sign) => (sign === quote ? `\\${quote}` : escaped(sign))).join("") + quote];
    return whole.slice(0, width).join("") + (whole.length > width ? "..." : "");
  }

  /** A sign as it is if it can be seen, or else its number. */
  function escaped(sign) {
    if ("\\\n\r\t".includes(sign)) return JSON.stringify(sign).slice(1, -1);
    if (sign === " " || !/[\p{C}\p{Z}]/u.test(sign)) return sign;
    const digits = sign.codePointAt().toString(16);
    const form = ["x00", "u0000", "U00000000"].find(({ length }) => length > digits.length);
    return `\\${form.slice(0, -digits.length)}${digits}`;
  }

  // --- the compiled rules ---

  let loaded = null;

  /** The bytes of a text that `_as_text` of __init__.py has made. */
  function bytesIn(text) {
    const bytes = [];
    let more = 0;
    for (const sign of text) {
      const code = sign.charCodeAt();
      if (sign === "~") {
        more += 91;
        continue;
      }
      bytes.push(more + code - 32 - (code > 34) - (code > 60) - (code > 92)); // three signs are left out
      more = 0;
    }
    return new Uint8Array(bytes);
  }

  /** What rules.wasm has, and views of its memory, which never grows. It is compiled by the first call. */
  function core() {
    if (loaded) return loaded;
    try {
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesIn(CODE)));
      const { buffer } = exports.memory;
      loaded = {
        exports,
        board: new Int8Array(buffer, exports.board(), SLOTS),
        boards: new Int8Array(buffer, exports.boards()),
        moves: new Int8Array(buffer, exports.moves()),
        nodes: new Uint16Array(buffer, exports.nodes()),
        text: new Uint8Array(buffer, exports.text(), ID_LENGTH),
      };
      return loaded;
    } catch (cause) {
      return fail("WebAssembly cannot be used here: a Content-Security-Policy must allow 'wasm-unsafe-eval'", { cause });
    }
  }

  // --- arguments ---

  const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
  const isObject = (value) => ({}).toString.call(value) === "[object Object]";
  const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

  /** A value of anybody in at most a few words. */
  function shown(value) {
    if (typeof value === "string") return quoted(value);
    if (isList(value)) return "a list";
    const kind = typeof value;
    const isPlain = value === null || ["number", "boolean", "undefined"].includes(kind);
    return isPlain ? String(value) : `something of type ${kind}`;
  }

  /** A value as sentences of the library show it, on one line and shortened. */
  function asInPython(value, width = 40) {
    if (typeof value === "string") return quoted(value, width);
    const text = brief(value, width, 0);
    return text.length > width ? `${text.slice(0, width)}...` : text;
  }

  function brief(value, width, depth) {
    if (value === undefined || value === null) return "None";
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "string") return quoted(value, width);
    if (isList(value)) return `[${briefly(value, width, depth, (item) => brief(item, width, depth + 1))}]`;
    if (!isObject(value)) return shown(value);
    const entry = ([name, item]) => `${quoted(name, width)}: ${brief(item, width, depth + 1)}`;
    return `{${briefly(Object.entries(value), width, depth, entry)}}`;
  }

  /** The first items, as many as are shown; deeply nested ones are not. */
  function briefly(items, width, depth, show) {
    if (depth > 2) return "...";
    let text = "";
    for (let at = 0; at < items.length && text.length <= width; at += 1) {
      text += (at ? ", " : "") + show(items[at]);
    }
    return text;
  }

  /** What an object has, which is nothing but these. */
  function entriesOf(value, what, names) {
    if (!isObject(value)) fail(`${what} must be an object, not ${shown(value)}`);
    const wrong = Object.keys(value).find((name) => !names.includes(name));
    if (wrong !== undefined) fail(`${what} cannot have ${shown(wrong)}`);
    return Object.entries(value);
  }

  /** How many checkers a side has; the call may have other options besides. */
  function readCheckers(options = {}, ...others) {
    entriesOf(options, "options", ["checkers", ...others]);
    const { checkers = MOST } = options;
    return isWhole(checkers, 1, MOST) ? checkers : fail(`each side must have 1 to ${MOST} checkers, not ${shown(checkers)}`);
  }

  function readCounts(points) {
    const total = isList(points) ? points.length : shown(points);
    if (total !== SLOTS) fail(`expected ${SLOTS} counts, not ${total}`);
    const counts = new Array(SLOTS); // a loop is the fastest way, and this one is called most
    for (let at = 0; at < SLOTS; at += 1) counts[at] = points[at];
    const wrong = counts.findIndex((count) => !Number.isInteger(count));
    if (wrong >= 0) fail(`index ${wrong}: ${shown(counts[wrong])} is not a whole number`);
    return counts.map((count) => count + 0); // not -0
  }

  /** Checked counts, which are then on the board of the compiled rules, and how many checkers a side has. */
  function readBoard(points, options) {
    const checkers = readCheckers(options);
    const counts = readCounts(points);
    const refuseBoard = (why) => fail(`impossible position: ${why}`);
    for (const [side, sign] of [["mine", 1], ["theirs", -1]]) {
      const total = counts.reduce((sum, count) => sum + Math.max(sign * count, 0), 0);
      if (total > checkers) refuseBoard(`${side}: ${total} checkers, but the game has ${checkers}`);
    }
    const { board, exports } = core();
    board.set(counts);
    const wrong = exports.wrong(checkers);
    if (!wrong) return { points: counts, checkers };
    if (wrong > 4) refuseBoard("both sides are on the bar against a closed board, so neither can ever move");
    if (wrong > 3) refuseBoard("both sides have borne off everything");
    if (counts[BAR] < 0) refuseBoard(`index ${BAR} is my bar, not a place for ${counts[BAR]}`);
    return refuseBoard(`index 0 is the opponent's bar, not a place for ${counts[0]}`);
  }

  /** The higher die first. */
  function readDice(dice) {
    const isText = typeof dice === "string" && dice.length <= LONGEST_ROLL;
    const faces = isText ? /^([1-6])-?([1-6])$/.exec(dice.replace(/[ \t-\r]/g, ""))?.slice(1).map(Number) : dice;
    if (isList(faces) && faces.length === 2) {
      const [first, second] = [faces[0], faces[1]];
      if (isWhole(first, 1, 6) && isWhole(second, 1, 6)) return first < second ? [second, first] : [first, second];
    }
    const what = isList(dice) && dice.length === 2 ? [...dice].map(shown).join(" and ") : shown(dice);
    fail(`a roll must be two whole numbers from 1 to 6, such as [3, 1] or "31", not ${what}`);
  }

  /** What is wrong with two faces. */
  function problemOfDice(faces) {
    const wrong = faces.filter((face) => !isWhole(face, 1, 6)).map((face) => asInPython(face));
    return wrong.length ? `a die must be a whole number from 1 to 6, not ${wrong.join(" and ")}` : "";
  }

  /** Two dice in this order. */
  const toDice = guarded((first, second) => {
    const faces = [first, second];
    const problem = problemOfDice(faces);
    return problem ? fail(problem, { problems: frozen([problem]) }) : frozen(faces);
  });

  // --- plays and turns ---

  /** An array of these numbers, several times as fast as `Array.from`. */
  function numbersOf(view, start, end) {
    const numbers = new Array(end - start);
    for (let at = start; at < end; at += 1) numbers[at - start] = view[at];
    return numbers;
  }

  function legalPlays(points, dice, options) {
    const [high, low] = readDice(dice);
    readBoard(points, options);
    const { exports, boards, moves } = core();
    const plays = [];
    for (let left = exports.plays(high, low), row = 0, at = 0; left > 0; left -= 1, row += SLOTS, at += 8) {
      const made = [];
      for (let move = at; move < at + 8 && moves[move] >= 0; move += 2) made.push([moves[move], moves[move + 1]]);
      plays.push({ points: numbersOf(boards, row, row + SLOTS), moves: made });
    }
    return plays;
  }

  function turn(points, dice, options) {
    const roll = readDice(dice);
    const { points: counts } = readBoard(points, options);
    const { exports, nodes } = core();
    const tree = [];
    for (let left = exports.turn(...roll), at = 0; left > 0; left -= 1) {
      const end = at + 1 + 4 * nodes[at];
      tree.push(numbersOf(nodes, at + 1, end));
      at = end;
    }
    return { points: counts, dice: roll, nodes: tree };
  }

  function perft(points, depth, options) {
    if (!isWhole(depth, 1, DEEPEST)) fail(`depth must be a whole number from 1 to ${DEEPEST}, not ${shown(depth)}`);
    readBoard(points, options);
    return Array.from({ length: depth }, (_, before) => core().exports.perft(before + 1));
  }

  /** From where a die can be played next, whatever was rolled; the counts are ours. */
  function playable(counts, die) {
    const { board, exports } = core();
    board.set(counts);
    const from = exports.playable(die);
    return counts.map((_, point) => point).filter((point) => (from >> point) & 1);
  }

  // --- what can be read from boards ---

  function factsOf(points, options) {
    const { checkers } = readBoard(points, options);
    const { exports } = core();
    return [...new Int32Array(exports.memory.buffer, exports.facts(checkers), 4)];
  }

  const pips = (points, options) => factsOf(points, options).slice(0, 2);
  const isRace = (points, options) => factsOf(points, options)[2] === 1;

  function outcome(points, options) {
    const won = factsOf(points, options)[3];
    return won ? { won: won > 0, win: Math.abs(won) } : null;
  }

  function positionId(points, options) {
    readBoard(points, options);
    const { exports, text } = core();
    exports.write_id();
    return String.fromCharCode(...text);
  }

  function fromPositionId(text, options) {
    const checkers = readCheckers(options);
    const plain = typeof text === "string" && text.length <= LONGEST_ID ? unwrapped(text) : "";
    const letters = plain.replace(LABEL, "");
    const { board, exports, text: place } = core();
    if (/^[A-Za-z\d+/]{14}(==)?$/.test(letters)) {
      place.forEach((_, at) => { place[at] = letters.charCodeAt(at); });
      if (exports.read_id(checkers)) return numbersOf(board, 0, SLOTS);
    }
    fail(`this is no Position ID of a board with at most ${checkers} checkers a side: ${shown(text)}`);
  }

  "NOTATION"; // notation.js

  return { legalPlays, turn, perft, pips, isRace, outcome, positionId, fromPositionId, find, notation, whyNot, toDice, WORDS, GammonError };
})();
