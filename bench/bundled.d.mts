/** The address of the file for the script at this address. */
export function bundled(url: string): Promise<string>;
