import http from "node:http";
import { connect, type Socket } from "node:net";

type ConnectProxy = AsyncDisposable & {
  url: string;
  /** The first line and the credentials of each request, in order. */
  asked: { line: string; authorization: string | undefined }[];
};

/** A real proxy on loopback: tunnels by CONNECT and forwards plain requests. With `refusal` it answers each CONNECT with it. */
export async function connectProxy(refusal?: number): Promise<ConnectProxy> {
  const asked: ConnectProxy["asked"] = [];
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: http.IncomingMessage) =>
    asked.push({ line: `${method} ${url}`, authorization: headers["proxy-authorization"] });
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  };
  const server = http.createServer((request, response) => {
    note(request);
    const { method, headers, url } = request;
    const forward = http.request(url ?? "", { method: method ?? "GET", headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forward);
  });
  server.on("connection", keep);
  server.on("connect", (request: http.IncomingMessage, client: Socket) => {
    note(request);
    if (refusal !== undefined) return client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    return keep(target);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return {
    url: `127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
