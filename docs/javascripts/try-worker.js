// The page to try it (docs/try.md): Python in a worker, so that the page stays alive while Python loads and thinks.
// All files come from the folder of the site that docs/try/build.py fills. Questions and answers are JSON.

const folder = new URL("../try/", import.meta.url);
const assets = new URL("assets/", folder);

const failed = (error) => postMessage({ failed: String(error.message).trim().slice(-300) });

async function fetched(url, options) {
  const response = await plainFetch(url, options);
  if (!response.ok) throw new Error(`${new URL(url, folder).pathname}: ${response.status}`);
  return response;
}

// Pyodide waits forever for a part of itself that did not come, so the page is told of it here.
const plainFetch = self.fetch.bind(self);
self.fetch = (url, options) =>
  fetched(url, options).catch((error) => {
    failed(error);
    throw error;
  });

async function start() {
  const list = await plainFetch(new URL("contents.json", assets));
  if (list.status === 404) {
    throw new Error("this copy of the site has no Python for browsers: “python docs/try/build.py” adds it before the site is built");
  }
  const contents = await list.json();
  postMessage({ loading: contents });
  const { loadPyodide } = await import(new URL("pyodide.mjs", assets));
  const options = { indexURL: assets.href, packageBaseUrl: assets.href, lockFileContents: contents.lock };
  const [python, program, ...wheels] = await Promise.all([
    loadPyodide(options),
    fetched(new URL("answers.py", folder)).then((response) => response.text()),
    ...contents.wheels.map((name) => fetched(new URL(name, assets)).then((response) => response.arrayBuffer())),
  ]);
  for (const wheel of wheels) python.unpackArchive(wheel, "wheel");
  python.FS.writeFile("answers.py", program);
  const answers = python.pyimport("answers");
  postMessage({ ready: true });
  return answers.answer_text;
}

const started = start();
started.catch(failed); // as every question is answered

addEventListener("message", async ({ data }) => {
  try {
    const answer = await started;
    postMessage({ answer: answer(data) });
  } catch (error) {
    failed(error);
  }
});
