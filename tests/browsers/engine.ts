import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A running browser with one page, 390 px wide. All expressions are JavaScript and can use `smoke`. */
export interface Engine {
  /** Name and version. */
  readonly name: string;
  /** Loads an address and resolves once it has loaded. */
  open: (address: string) => Promise<void>;
  /** The value of an expression, as JSON. */
  evaluate: (expression: string) => Promise<unknown>;
  /** Clicks the middle of the element that the expression gives, as a user does. */
  click: (expression: string) => Promise<void>;
  /** Types at the end of the field that the expression gives. */
  type: (expression: string, text: string) => Promise<void>;
  /** Directs the other calls, except `open`, to the frame that the expression gives. Null: to the page. */
  enter: (expression: string | null) => Promise<void>;
  /** The errors and warnings since the last call, as far as the browser reports them. */
  takeErrors: () => string[];
  close: () => Promise<void>;
}

/** A browser on this machine. */
export interface Found {
  key: string;
  launch: () => Promise<Engine>;
}

/** A browser that this machine doesn't have. */
export interface Missing {
  key: string;
  /** Its name. */
  missing: string;
  /** How to install the browser. */
  remedy: string;
}

/**
 * Pixels. The width of a phone. So high that the card form is in sight: WebDriver's clicks don't scroll the
 * page around a frame (https://github.com/w3c/webdriver/issues/1141).
 */
export const WINDOW = { width: 390, height: 1_400 } as const;

/** Defines `smoke` in the page. */
export const pageScript = readFileSync(path.resolve(import.meta.dirname, 'page-script.js'), 'utf8');

/** Function body that evaluates an expression which can use `smoke`. */
export const bodyOf = (expression: string): string => `${pageScript}\nreturn ${expression};`;
