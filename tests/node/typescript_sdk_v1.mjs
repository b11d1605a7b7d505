// The TypeScript SDK of the revisions up to 2025-11-25.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { converse, given } from "./conversation.mjs";

const server = given();
const transport = server.url
  ? new StreamableHTTPClientTransport(server.url, { requestInit: { headers: server.headers } })
  : new StdioClientTransport(server.process);
const client = new Client({ name: "typescript-sdk-v1", version: "1" });
await client.connect(transport);

await converse({
  list: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: (name, args, onprogress) => client.callTool({ name, arguments: args }, undefined, { onprogress }),
  revision: () => transport.protocolVersion,
  close: () => client.close(),
});
