import { serveTasks } from '#platform/serve-tasks.ts'
import { readUpload } from './read-upload.ts'

serveTasks(readUpload)
