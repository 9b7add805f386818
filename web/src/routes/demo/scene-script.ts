import type { Script } from '../../components/app/play-script.ts';
import { chapters } from './chapters.ts';

const passage =
  'It is very nearly there, though the part in the middle goes on for quite a while and I am not sure I could tell you what it says. Shall we talk on Thursday?';
/** The selected part of the letter, in words with the spaces after them. */
export const words = passage.split(/(?<= )/);
export const answer =
  'She asks one thing outright: does Thursday suit you? And one between the lines: what does the middle part say?';
export const draft = 'yes thurs fine. middle is too long i know, will cut';
export const polished = 'Thursday suits me well. You are right about the middle: I will cut it.';

export interface SceneState {
  /** The notification about the letter. */
  announced: boolean;
  arrived: boolean;
  /** Number of selected words. Zero while the reply is written. */
  selected: number;
  pointer: 'words' | 'send' | 'none';
  /** `of`: the function of the keys, which stays while the keys fade out. */
  keys: { of: 'open' | 'hide'; shown: boolean; pressed: boolean };
  overlay: {
    open: boolean;
    view: 'prompt' | 'commands' | 'contexts' | 'answer' | 'writing' | 'written';
    /** Index of the chosen command. */
    command: number | undefined;
    /** Number of chosen contexts, out of two. */
    contexts: number;
    /** Number of visible characters of the answer. */
    answer: number;
  };
  /** `typed`: number of characters of the draft. */
  reply: { window: 'none' | 'open' | 'sent'; typed: number; polished: boolean; pressed: boolean };
}

// Milliseconds per typed character. An answer arrives faster than a person types.
const CHARACTER = 50;
const ANSWER_CHARACTER = 25;
const WRITING = 1_500;

// Milliseconds from the start.
const SELECTING = 3_400;
const SELECTED = 5_400;
const ANSWERING = 20_900;
const REPLYING = 27_000;
const TYPING = 27_800;
const TYPED = TYPING + draft.length * CHARACTER;
const REWRITING = TYPED + 1_300;
const REWRITTEN = REWRITING + WRITING;
const SENDING = 41_000;
const SENT = 41_400;

const within = (now: number, from: number, to: number): boolean => now >= from && now < to;

/** Number of visible characters of `length`, if one arrives every `each` milliseconds from `start` on. */
const typedSince = (start: number, now: number, length: number, each: number): number =>
  Math.min(length, Math.max(0, Math.floor((now - start) / each)));

function selectedAt(now: number): number {
  if (now >= REPLYING) return 0;
  const part = (now - SELECTING) / (SELECTED - SELECTING);
  return Math.round(words.length * Math.min(1, Math.max(0, part)));
}

function viewAt(now: number): SceneState['overlay']['view'] {
  if (now < 10_900) return 'prompt';
  if (now < 15_400) return 'commands';
  if (now < 20_000) return 'contexts';
  if (now < REWRITING) return 'answer';
  return now < REWRITTEN ? 'writing' : 'written';
}

function commandAt(now: number): number | undefined {
  if (now < 11_800) return undefined;
  return now < 12_900 ? 0 : 1;
}

function keysAt(now: number): SceneState['keys'] {
  const hide = now >= 37_000;
  return {
    of: hide ? 'hide' : 'open',
    shown: within(now, 6_600, 9_400) || within(now, TYPED + 300, REWRITTEN) || within(now, 37_200, SENT),
    pressed:
      within(now, 7_800, 8_700) ||
      within(now, REWRITING - 300, REWRITING + 500) ||
      within(now, 38_400, 39_300),
  };
}

function replyAt(now: number): SceneState['reply'] {
  const open = now < SENT ? 'open' : 'sent';
  return {
    window: now < REPLYING ? 'none' : open,
    typed: typedSince(TYPING, now, draft.length, CHARACTER),
    polished: now >= REWRITTEN,
    pressed: now >= SENDING,
  };
}

function pointerAt(now: number): SceneState['pointer'] {
  if (within(now, SELECTING - 600, 6_500)) return 'words';
  return within(now, 40_200, SENT) ? 'send' : 'none';
}

export const sceneScript: Script<SceneState> = {
  duration: 43_500,
  at: (now) => ({
    announced: within(now, 300, 2_400),
    arrived: now >= 1_500,
    selected: selectedAt(now),
    pointer: pointerAt(now),
    keys: keysAt(now),
    overlay: {
      open: within(now, 8_100, 38_700),
      view: viewAt(now),
      command: commandAt(now),
      contexts: Number(now >= 16_700) + Number(now >= 18_000),
      answer: typedSince(ANSWERING, now, answer.length, ANSWER_CHARACTER),
    },
    reply: replyAt(now),
  }),
};

export const chapterAt = (now: number): number => chapters.findLastIndex(({ start }) => now >= start);

/** A time in minutes and seconds, as `0:07`. */
export function clockTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
