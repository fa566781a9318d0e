// When the hourly work runs.
import { expect, test, vi } from 'vitest'
import { repeatHourly } from './background.ts'

test('the hourly work first runs a minute after the start, then each hour, and not after the end', async () => {
  vi.useFakeTimers()
  try {
    const answers: (() => boolean)[] = []
    const work = async (isStopping: () => boolean) => void answers.push(isStopping)
    {
      using _running = repeatHourly(work)
      await vi.advanceTimersByTimeAsync(59_000)
      expect(answers).toHaveLength(0)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(answers).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(3_598_000)
      expect(answers).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(3_602_000)
      expect(answers).toHaveLength(3)
      expect(answers.map((isStopping) => isStopping())).toEqual([false, false, false])
    }
    expect(answers.map((isStopping) => isStopping())).toEqual([true, true, true])
    await vi.advanceTimersByTimeAsync(7_200_000)
    expect(answers).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
})
