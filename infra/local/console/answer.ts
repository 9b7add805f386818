export interface ConsoleAnswer {
  status: number;
  type: string;
  body: string;
}

export const json = (value: unknown, status = 200): ConsoleAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value, (_, each: unknown) => (each instanceof Set ? [...each] : each)),
});

export const refused = (status: number, error: string): ConsoleAnswer => json({ error }, status);

export const nothingHere = (): ConsoleAnswer => refused(404, 'There is nothing here by that name.');
