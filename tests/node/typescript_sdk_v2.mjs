// The TypeScript SDK of every revision. `--mode legacy` initializes, `auto` asks first, a revision insists on it.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { converse, given } from "./conversation.mjs";

const server = given();
const transport = server.url
  ? new StreamableHTTPClientTransport(server.url, { requestInit: { headers: server.headers } })
  : new StdioClientTransport(server.process);
const mode = ["legacy", "auto"].includes(server.mode) ? server.mode : { pin: server.mode };
const client = new Client({ name: "typescript-sdk-v2", version: "1" }, { versionNegotiation: { mode } });
await client.connect(transport);

await converse({
  list: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: (name, args, onprogress) => client.callTool({ name, arguments: args }, { onprogress }),
  revision: () => client.getNegotiatedProtocolVersion(),
  close: () => client.close(),
});
