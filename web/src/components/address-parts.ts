/** The parts of an e-mail address between which a line may break: before the @, and after a dot. */
export const addressParts = (address: string): string[] => address.split(/(?=@)|(?<=\.)/);
