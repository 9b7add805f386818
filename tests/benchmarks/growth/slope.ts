/** A measured point. */
export interface Point {
  x: number;
  y: number;
}

/**
 * The exponent of y in x: the slope of log y over log x, by least squares. Each group is a separate line
 * height; all have the same slope.
 */
export function slopeOf(groups: readonly (readonly Point[])[]): number {
  let [covariance, variance] = [0, 0];
  for (const group of groups) {
    const logs = group.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
    const mean = (of: (point: Point) => number) =>
      logs.reduce((total, point) => total + of(point), 0) / logs.length;
    const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
    for (const { x, y } of logs) {
      covariance += (x - meanX) * (y - meanY);
      variance += (x - meanX) ** 2;
    }
  }
  return covariance / variance;
}
