/** The parts of an email address between which a line may break: before the @, and after a dot. */
export const addressParts = (address: string): string[] => address.split(/(?=@)|(?<=\.)/);
