/** Whether a stored object is asked where it is, or from elsewhere. */
export type Access = 'local' | 'remote'
/** In the object an answer is there at once. For a remote caller it is a promise. */
export type AnswerFor<A extends Access, T> = A extends 'local' ? T : Promise<T>
