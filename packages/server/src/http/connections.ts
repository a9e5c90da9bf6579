/**
 * Who may hold how many connections. One address can't hold all there are; when all are taken, the one that has been idle longest makes room. A
 * trusted proxy holds as many as it needs: its connections are its clients'.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../common/index.ts';
import { peerAddress, type TrustedProxies, trustsPeer } from './client-address.ts';
import { SlowLane } from './slow-lane.ts';

export interface ConnectionLimits {
  /** Of an IPv4 address, or of an IPv6 /64. */
  readonly perAddress: number;
  readonly total: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #trust: TrustedProxies;
  readonly #byAddress = new Map<string, number>();
  /** Connections without a request in progress; the one that has waited longest is first. */
  readonly #idle = new Set<Socket>();
  readonly #busy = new Map<Socket, number>();
  readonly #slowLane = new SlowLane();
  #open = 0;

  constructor(limits: ConnectionLimits, trust: TrustedProxies) {
    this.#limits = limits;
    this.#trust = trust;
  }

  /** Counts the server's connections from now on. */
  watch(server: Server): void {
    server.on('connection', (socket) => this.#take(socket));
    server.on('request', (request, response) => {
      this.#begin(request.socket);
      response.once('close', () => this.#end(request.socket));
    });
    server.on('checkContinue', (request, response) => {
      this.#begin(request.socket);
      response.once('close', () => this.#end(request.socket));
    });
  }

  /** What this connection sent cost far more than it is worth: for a while the next ones of its address wait for their turn. */
  slowDown(socket: Socket): void {
    const address = this.#addressOf(socket);
    if (address !== null) this.#slowLane.note(address);
  }

  get open(): number {
    return this.#open;
  }

  #take(socket: Socket): void {
    const address = this.#addressOf(socket);
    const held = address === null ? 0 : (this.#byAddress.get(address) ?? 0);
    if (address !== null && held >= this.#limits.perAddress) {
      socket.destroy();
      return;
    }
    if (this.#open >= this.#limits.total && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    this.#open += 1;
    if (address !== null) {
      this.#byAddress.set(address, held + 1);
      this.#slowLane.take(socket, address);
    }
    this.#idle.add(socket);
    socket.once('close', () => {
      this.#open -= 1;
      this.#idle.delete(socket);
      this.#busy.delete(socket);
      if (address === null) return;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    });
  }

  /** Null for a trusted proxy. */
  #addressOf(socket: Socket): string | null {
    const peer = peerAddress(socket);
    return trustsPeer(this.#trust, peer) ? null : networkOf(peer);
  }

  #makeRoom(): boolean {
    for (const socket of this.#idle) {
      this.#idle.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #begin(socket: Socket): void {
    this.#idle.delete(socket);
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
  }

  #end(socket: Socket): void {
    const left = (this.#busy.get(socket) ?? 1) - 1;
    if (left > 0) {
      this.#busy.set(socket, left);
      return;
    }
    this.#busy.delete(socket);
    if (!socket.destroyed) this.#idle.add(socket);
  }
}
