import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { freePort } from '../../infra/local/base/loopback.ts';
import { bodyOf, type Engine, WINDOW } from './engine.ts';
import { until } from './until.ts';

// https://www.w3.org/TR/webdriver2/#elements: the key of an element's reference.
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const Reference = z.object({ [ELEMENT]: z.string() });
const Answer = z.object({ value: z.unknown() });
const Refused = z.object({ error: z.string(), message: z.string() });
const Session = z.object({
  sessionId: z.string(),
  capabilities: z.object({ browserVersion: z.string() }),
});

/** WebKitGTK's own browser, driven by WebKitWebDriver on a virtual screen. */
export async function startWebKit(): Promise<Engine> {
  const settings = mkdtempSync(path.join(tmpdir(), 'selfsame-webkit-'));
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    // The browser ends with its driver, and needs the screen until then.
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    }
    rmSync(settings, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    writeGtkSettings(settings);
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '800x1500x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    children.push(screen);
    const [display] = (await once(screen.stdio[3]!, 'data')) as [Buffer];
    const port = await freePort('127.0.0.1');
    const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: `:${display.toString().trim()}`,
        GDK_BACKEND: 'x11',
        XDG_CONFIG_HOME: settings,
      },
    });
    children.push(driver);
    return await newSession(`http://127.0.0.1:${port}`, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Without these, MiniBrowser's toolbar keeps its window at least 447 px wide. Without animations, pages see a
 * user who prefers reduced motion.
 */
function writeGtkSettings(folder: string): void {
  const gtk = path.join(folder, 'gtk-3.0');
  mkdirSync(gtk);
  writeFileSync(path.join(gtk, 'gtk.css'), '* { padding: 0; margin: 0; border-width: 0; min-width: 0; }\n');
  writeFileSync(path.join(gtk, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
}

async function send(address: string, method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<unknown> {
  const response = await fetch(address, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { value } = Answer.parse(await response.json());
  if (response.ok) return value;
  const { error, message } = Refused.parse(value);
  throw new Error(`${error}: ${message}`);
}

/** https://www.w3.org/TR/webdriver2/#endpoints */
async function newSession(driver: string, stop: () => Promise<void>): Promise<Engine> {
  await until('WebKitWebDriver answers', () => send(`${driver}/status`, 'GET'));
  const { sessionId, capabilities } = Session.parse(
    await send(`${driver}/session`, 'POST', { capabilities: { alwaysMatch: {} } }),
  );
  const session = `${driver}/session/${sessionId}`;
  const post = (command: string, body: unknown): Promise<unknown> =>
    send(`${session}/${command}`, 'POST', body);
  const evaluate = (expression: string): Promise<unknown> =>
    post('execute/sync', { script: bodyOf(expression), args: [] });
  const elementOf = async (expression: string): Promise<string> => {
    const found = Reference.safeParse(await evaluate(expression));
    if (!found.success) throw new Error(`There is no ${expression}.`);
    return found.data[ELEMENT];
  };
  await post('window/rect', WINDOW);

  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    open: async (address) => {
      await post('url', { url: address });
    },
    evaluate,
    click: async (expression) => {
      await post(`element/${await elementOf(expression)}/click`, {});
    },
    type: async (expression, text) => {
      // Its command for typing doesn't work in a frame of another origin: "Element is not focusable".
      await post(`element/${await elementOf(expression)}/click`, {});
      const keys = text.split('').flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await post('actions', { actions: [{ type: 'key', id: 'keyboard', actions: keys }] });
    },
    enter: async (expression) => {
      await post('frame', { id: null });
      if (expression !== null) await post('frame', { id: { [ELEMENT]: await elementOf(expression) } });
    },
    takeErrors: () => [],
    close: async () => {
      await send(session, 'DELETE').catch(() => {});
      await stop();
    },
  };
}
