/** Frames as a body that is written as fast as it is read: the next frame is asked for when the one before has been taken. */

/** A reader who takes nothing for so long is cut off: his place is free again, and he can go on where he was. */
const STALLED_MS = 60_000

export interface Source {
  frames: AsyncGenerator<string, void>
  /** Ends it, also while it waits. */
  stop(): void
  sleep: (ms: number) => Promise<void>
  /** Told what broke it; the body just ends then, without an end of its own. */
  failed: (error: unknown) => void
}

export function streamOf(source: Source): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  /** How many frames were given out, whether the last of them is still on its way, whether it is over. */
  const now = { given: 0, untaken: false, over: false }
  const finish = () => {
    now.over = true
    source.stop()
    void source.frames.return().catch(source.failed)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cut = (is: boolean) => {
          if (!is) return
          finish()
          controller.error(new Error('the reader took nothing'))
        }
        void stalled(now, source.sleep).then(cut).catch(source.failed)
      },
      async pull(controller) {
        now.untaken = false
        const frame = await nextOf(source)
        if (now.over) return
        if (frame === null) {
          finish()
          return controller.close()
        }
        now.given += 1
        now.untaken = true
        controller.enqueue(encoder.encode(frame))
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  )
}

/** null: there is none, or it broke. */
async function nextOf({ frames, failed }: Source): Promise<string | null> {
  try {
    const frame = await frames.next()
    return frame.done === true ? null : frame.value
  } catch (error) {
    failed(error)
    return null
  }
}

/** Resolves when it is over (false), or when one frame was not taken for all the time (true). */
async function stalled(
  now: { given: number; untaken: boolean; over: boolean },
  sleep: Source['sleep'],
): Promise<boolean> {
  while (!now.over) {
    const before = now.given
    await sleep(STALLED_MS)
    if (!now.over && now.untaken && now.given === before) return true
  }
  return false
}
