import { Api, type HttpResponse, type Refusal, type Seen } from "./api.js";

const api = new Api({ baseUrl: "http://127.0.0.1:8000" });

/** The first legal play, and neither doubles nor resignations. */
async function act(table: string, key: string, seen: Seen): Promise<Seen> {
  const { number: after, state, actions } = seen;
  const action = actions.find((it) => it !== "double" && it !== "resign");
  if (!action) return seen;
  const argument = action === "play"
    ? (await api.plays.legalPlays(state)).data[0]
    : null;
  const sent = { after, action, argument };
  return (await api.tables.act(table, sent, { headers: { key } })).data;
}

/** Plays a match for both seats. */
async function match(): Promise<string> {
  const { data } = await api.tables.newTable({ length: 3 });
  for (;;) {
    for (const key of [data.white, data.black]) {
      const seat = { headers: { key } };
      const { data: seen } = await api.tables.look(data.table, seat);
      const { number, state } = await act(data.table, key, seen);
      if (state.result && !seen.actions.length)
        return `${state.result.winner} wins after ${number} events`;
    }
  }
}

/** What the server says when it refuses something. */
function told({ error }: HttpResponse<Seen, Refusal>): string {
  return error.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join();
}

console.log(await match());
const { data: { table, white: key } } = await api.tables.newTable({});
const wrong = { after: 0, action: "roll", argument: [[6, 6]] };
await api.tables.act(table, wrong, { headers: { key } })
  .catch((refused) => console.log(told(refused)));
