// 对话列表的中文文案。
import type { Messages } from "../en";

const sessions: Messages["sessions"] = {
  label: "对话列表",
  new: "新对话",
  search: "搜索标题",
  untitled: "新对话",
  none: "还没有对话。写一条消息即可开始。",
  nothingFound: "没有标题包含“{words}”的对话。",
  more: "显示更多",
  today: "今天",
  yesterday: "昨天",
  lastDays: "最近 7 天",
  earlier: "更早",
  running: "智能体正在回复",
  compacting: "正在压缩上下文",
  fullHistory: "完整历史：{title}",
  showFull: "查看完整历史",
  showCompacted: "查看压缩视图",
  menuOf: "更多操作：{title}",
  rename: "重命名",
  newTitle: "新标题",
  deleteTitle: "删除此对话？",
  deleteText: "“{title}”及其全部消息和摘要都会被删除，正在进行的回复也会停止。此操作无法撤销。",
  deleted: "已删除：{title}",
};

export default sessions;
