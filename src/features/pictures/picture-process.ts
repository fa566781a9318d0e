// The process that decodes pictures.
import { serveTasks } from '#platform/serve-tasks.ts'
import { readPicture } from './read-picture.ts'

serveTasks(readPicture)
