import type { CursorPosition, EventCursor } from '../../../functions/adapters/dynamodb/event-cursor.ts';

export class MemoryEventCursor implements EventCursor {
  position: CursorPosition | undefined;

  async read(): Promise<CursorPosition | undefined> {
    return this.position;
  }

  async move(to: CursorPosition): Promise<void> {
    this.position = to;
  }
}
