// What every client does with a server: it connects, lists, makes three calls, and prints the outcomes as one JSON line.

import { parseArgs } from "node:util";

/**
 * Read where the server is: `--url URL --token TOKEN`, or `--stdio -- COMMAND ARGUMENTS`. `--mode` is the client's own
 * word for how it opens the connection.
 */
export function given() {
  const { values, positionals } = parseArgs({
    options: {
      url: { type: "string" },
      token: { type: "string" },
      stdio: { type: "boolean", default: false },
      mode: { type: "string" },
    },
    allowPositionals: true,
  });
  if (values.stdio === (values.url !== undefined)) {
    throw new Error("Give either --url URL --token TOKEN or --stdio -- COMMAND ARGUMENTS.");
  }
  const [command, ...args] = positionals;
  return {
    url: values.url && new URL(values.url),
    headers: { Authorization: `Bearer ${values.token}` },
    mode: values.mode,
    // The server is to see the environment that the test made: clients pass on a few variables only.
    process: { command, args, env: process.env, stderr: "inherit" },
  };
}

/**
 * Talk to the server through `client`: `list()` gives tool names, `call(name, arguments, note)` gives a result and calls
 * `note` with each progress, `revision()` what was negotiated (undefined if the client does not say), `close()` ends it.
 */
export async function converse(client) {
  const progress = [];
  const tools = await client.list();
  const pages = await client.call("cbx_list_entities", { entity: "page" });
  const absent = await client.call("cbx_get_entity", { entity: "page", id: 999999 });
  const told = await client.call("progress", {}, (each) => progress.push(each));
  const revision = client.revision();
  await client.close();
  console.log(
    JSON.stringify({
      revision,
      tools,
      pages: { isError: pages.isError, content: pages.structuredContent },
      absent: { isError: absent.isError, content: absent.content },
      told: { progress, content: told.structuredContent },
    }),
  );
}
