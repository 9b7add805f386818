/** The folder of a bundle with V8's code cache: what Node has compiled of each module. */
export const compiledFolder = 'compiled';

/** A script whose compiled code shows whether the running Node takes the folder's. */
export const sample = { source: '0', name: 'sample' } as const;
