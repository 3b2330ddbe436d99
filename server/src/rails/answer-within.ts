/**
 * Puts a time limit on a call to the outside. A call that runs over it, or throws, has not failed: nobody knows what
 * became of it, and `otherwise` says so.
 */
export async function answerWithin<T>(
  ms: number,
  call: () => Promise<T>,
  otherwise: T,
  onError: (error: unknown) => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    onError(error);
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
