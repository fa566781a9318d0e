import { serveTasks } from '#platform/bounded-worker.ts'
import { drawPicture, readPicture } from './read-picture.ts'
import type { PictureTask } from './shop.ts'

serveTasks(async (task: PictureTask) =>
  'svg' in task ? { drawn: await drawPicture(task) } : readPicture(task),
)
