import { once } from 'node:events';
import * as z from 'zod/mini';

const Message = z.looseObject({
  id: z.optional(z.number()),
  method: z.optional(z.string()),
  params: z.optional(z.looseObject({})),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ message: z.string() })),
});
const Evaluated = z.object({ result: z.object({ value: z.unknown() }) });
const Attached = z.object({ sessionId: z.string() });
const Received = z.object({ sessionId: z.string(), message: z.string() });

/** A thread of an inspected process, as the Chrome DevTools Protocol reaches it. */
export interface Thread {
  send(method: string, parameters?: object): Promise<unknown>;
}

/** The value of an expression in a thread. It travels as JSON. */
export async function evaluate<T>(thread: Thread, expression: string, shape: z.ZodMiniType<T>): Promise<T> {
  const answer = await thread.send('Runtime.evaluate', { expression, returnByValue: true });
  return shape.parse(Evaluated.parse(answer).result.value);
}

type OnEvent = (method: string, parameters: unknown) => void;

/** Speaks the protocol over `write`. `receive` takes what comes back. */
class Connection implements Thread {
  readonly #write: (text: string) => void;
  readonly #onEvent: OnEvent;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #ids = 0;

  constructor(write: (text: string) => void, onEvent: OnEvent = () => {}) {
    this.#write = write;
    this.#onEvent = onEvent;
  }

  send(method: string, parameters: object = {}): Promise<unknown> {
    this.#ids += 1;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(this.#ids, answer);
    this.#write(JSON.stringify({ id: this.#ids, method, params: parameters }));
    return answer.promise;
  }

  receive(text: string): void {
    const { id, method, params, result, error } = Message.parse(JSON.parse(text));
    if (id === undefined) return this.#onEvent(method ?? '', params);
    const answer = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }

  end(): void {
    for (const { reject } of this.#pending.values()) reject(new Error('The thread has ended.'));
    this.#pending.clear();
  }
}

/** The threads of a process that was started with `--inspect`. */
export class Inspector {
  readonly main: Thread;
  readonly #socket: WebSocket;
  readonly #workers = new Map<string, Connection>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    const main = new Connection(
      (text) => socket.send(text),
      (method, parameters) => this.#note(method, parameters),
    );
    socket.addEventListener('message', ({ data }) => main.receive(String(data)));
    this.main = main;
  }

  /** `address`: what Node prints after `Debugger listening on`. */
  static async connect(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    const inspector = new Inspector(socket);
    await inspector.main.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return inspector;
  }

  /** The worker threads that run now. */
  workers(): Thread[] {
    return [...this.#workers.values()];
  }

  close(): void {
    this.#socket.close();
  }

  #note(method: string, parameters: unknown): void {
    if (method === 'NodeWorker.attachedToWorker') {
      const { sessionId } = Attached.parse(parameters);
      const worker = new Connection((message) => {
        // A worker that has just ended refuses messages.
        this.main.send('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(() => worker.end());
      });
      this.#workers.set(sessionId, worker);
    } else if (method === 'NodeWorker.detachedFromWorker') {
      const { sessionId } = Attached.parse(parameters);
      this.#workers.get(sessionId)?.end();
      this.#workers.delete(sessionId);
    } else if (method === 'NodeWorker.receivedMessageFromWorker') {
      const { sessionId, message } = Received.parse(parameters);
      this.#workers.get(sessionId)?.receive(message);
    }
  }
}
