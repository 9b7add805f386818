import type { EventCursor } from '../../../functions/adapters/dynamodb/event-cursor.ts';

export class MemoryEventCursor implements EventCursor {
  at: Date | undefined;

  async read(): Promise<Date | undefined> {
    return this.at;
  }

  async move(to: Date): Promise<void> {
    this.at = to;
  }
}
