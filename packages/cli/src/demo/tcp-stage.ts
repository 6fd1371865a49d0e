/** A TCP server on a loopback port of the system's choice. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { OpenStage } from './stage.ts';

type Scenes = OpenStage['scenes'];

export function openTcpStage(scheme: string, scenes: Scenes, serve: (socket: Socket) => void): Promise<OpenStage> {
  return openStage(
    scheme,
    scenes,
    createServer((socket) => serve(socket.on('error', () => undefined))),
  );
}

export function openStage(scheme: string, scenes: Scenes, server: Server): Promise<OpenStage> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () =>
      resolve({
        origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
        scenes,
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      }),
    );
  });
}
