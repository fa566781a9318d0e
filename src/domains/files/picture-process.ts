// The process that decodes and draws pictures.
import { serveTasks } from '#platform/bounded-worker.ts'
import { readPicture } from './read-picture.ts'
import { drawPicture } from './drawn-picture.ts'
import type { PictureTask } from './shop.ts'

serveTasks(async (task: PictureTask) =>
  'svg' in task ? { drawn: await drawPicture(task) } : readPicture(task),
)
