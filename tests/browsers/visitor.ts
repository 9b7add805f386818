import * as z from 'zod/mini';
import type { Engine } from './engine.ts';
import { until } from './until.ts';

type Role = 'button' | 'heading' | 'link';

const Errors = z.array(z.string());
const quote = JSON.stringify;

/** The actions of a person on a site. Each waits until it is possible. */
export class Visitor {
  readonly #engine: Engine;
  readonly #origin: string;

  constructor(engine: Engine, origin: string) {
    this.#engine = engine;
    this.#origin = origin;
  }

  /** Opens a path of the site, and waits until the application runs and shows a heading. */
  async open(path: string): Promise<void> {
    await this.#engine.open(`${this.#origin}${path}`);
    await this.#waitFor(`${path} starts`, 'smoke.hasStarted()');
  }

  /**
   * Opens a page that opens the desktop app by itself. Where no app takes the address, WebKitGTK shows an
   * empty page in its place, perhaps before anybody has looked.
   */
  async openPageOfApp(path: string): Promise<void> {
    await this.#engine.open(`${this.#origin}${path}`);
    await this.#waitFor(`${path} starts`, 'location.href === "about:blank" || smoke.hasStarted()');
  }

  /**
   * Also waits until the application runs: the sign-out loads a page, and Firefox logs an error where a page
   * is left that still loads its script.
   */
  async see(role: Role, name: string): Promise<void> {
    await this.#waitFor(
      `the ${role} ${quote(name)}`,
      `smoke.hasStarted() && smoke.find(${quote(role)}, ${quote(name)}) !== undefined`,
    );
  }

  async click(role: Role, name: string): Promise<void> {
    const element = `smoke.find(${quote(role)}, ${quote(name)})`;
    await until(`the ${role} ${quote(name)} can be clicked`, async () => {
      // WebKit's driver clicks nothing at the very edge of the window.
      await this.#engine.evaluate(`${element}?.scrollIntoView({ block: 'center', behavior: 'instant' })`);
      await this.#engine.click(element);
    });
  }

  /** Types into the field of this label, unless it has the text already. */
  async fill(label: string, text: string): Promise<void> {
    const field = `smoke.field(${quote(label)})`;
    await until(`the field ${quote(label)} takes text`, async () => {
      const value = await this.#engine.evaluate(`${field}?.value ?? null`);
      // It may come with the text, from the page before.
      if (value === null) throw new Error(`There is no ${field}.`);
      if (value !== text) await this.#engine.type(field, text);
    });
  }

  /** Does something in the frame of this title. */
  async inFrame(title: string, work: () => Promise<void>): Promise<void> {
    await until(`the frame ${quote(title)}`, () => this.#engine.enter(`smoke.frame(${quote(title)})`));
    await work();
    await this.#engine.enter(null);
  }

  /** The page's path. */
  async path(): Promise<string> {
    return z.string().parse(await this.#engine.evaluate('location.pathname'));
  }

  /** Where the page is, what its heading is, and which alerts it shows. */
  async describe(): Promise<string> {
    return z.string().parse(await this.#engine.evaluate('smoke.describe()'));
  }

  /** Fails if the page has logged an error or a warning, or is wider than the window. */
  async expectNoFaults(): Promise<void> {
    const shown = Errors.parse(await this.#engine.evaluate('smoke.errors.splice(0)'));
    const errors = new Set([...shown, ...this.#engine.takeErrors()]);
    if (errors.size > 0) throw new Error([...errors].join('\n'));
    const overflow = await this.#engine.evaluate('smoke.overflow()');
    if (overflow !== 0) throw new Error(`The page is ${String(overflow)} px wider than the window.`);
  }

  async #waitFor(what: string, condition: string): Promise<void> {
    await until(what, async () => {
      if ((await this.#engine.evaluate(condition)) !== true) throw new Error(`${condition} isn't true.`);
    });
  }
}
