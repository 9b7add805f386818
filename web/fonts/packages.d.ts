// Types of the parts in use from two packages without types.

declare module 'fontverter' {
  const fontverter: { convert: (font: Buffer, format: 'truetype' | 'woff2') => Promise<Buffer> };
  export default fontverter;
}

declare module 'subset-font' {
  type Axis = number | { min: number; max: number };
  interface Options {
    targetFormat: 'truetype';
    variationAxes: Readonly<Record<string, Axis>>;
    keepFeatures: readonly string[];
    dropTables: readonly string[];
    noHinting: boolean;
  }
  const subsetFont: (font: Buffer, text: string, options: Options) => Promise<Buffer>;
  export default subsetFont;
}
