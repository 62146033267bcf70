// 中文文案。
import type { Messages } from "./en";

const zh: Messages = {
  app: {
    title: "NetaClaw",
    tagline: "智能体对话，不再止于上下文窗口",
  },
  preferences: {
    label: "偏好设置",
    useLight: "切换到浅色主题",
    useDark: "切换到深色主题",
  },
  welcome: {
    what: "NetaClaw 压缩 LLM 智能体的长对话：清除旧的工具输出，将中间部分写成摘要，开头与最新的消息逐字保留。",
    status: "服务器将随下一版本推出。",
    statusDetail: "本版本提供压缩引擎：Python 库与命令行。聊天、智能体和设置今后都在本页打开。",
    tryIt: "用您自己的对话记录试一试",
    compact: "写出一份更短且有效的对话记录，对话可以由此继续。",
    inspect: "显示 token 用在哪里、每个阶段会做什么，不做任何改动。",
    copy: "复制",
    copied: "已复制",
    copyCommand: "复制命令：{command}",
  },
};

export default zh;
