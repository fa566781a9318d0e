import { serveTasks } from '#platform/serve-tasks.ts'
import { drawPicture } from './draw-picture.ts'
import type { PictureTask } from './picture-reader.ts'
import { readPicture } from './read-picture.ts'

serveTasks(async (task: PictureTask) =>
  'svg' in task ? { drawn: await drawPicture(task) } : readPicture(task),
)
