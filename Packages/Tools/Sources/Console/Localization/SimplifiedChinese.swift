/// The texts of the module in Simplified Chinese, in the form of `Localizable.strings`.
///
/// Rules: full-width punctuation, “ ” around names and commands, a space between Chinese and Latin letters or digits but not beside
/// punctuation. Commands, options, placeholders such as FILE, identifiers and field names of files stay as they are.
///
/// | English | Chinese |
/// |---|---|
/// | action, target | 操作, 目标 |
/// | active, staged, previous | 生效 or 使用中, 暂存, 上一版本 |
/// | app group | 应用组 |
/// | author, owner, maintainer | 作者, 所有者, 维护者 |
/// | bundle, package, plugin | 捆绑包, 软件包, 插件 |
/// | caller, host | 调用方, 宿主 |
/// | catalog, channel, mirror | 软件源, 频道, 镜像 |
/// | composition, lock | 组合, 锁定文件 |
/// | confinement, isolation | 限制, 隔离进程 |
/// | crash, hang | 崩溃, 无响应 |
/// | exposure | 开放范围 |
/// | extension, extension point | 扩展, 扩展点 |
/// | fallback, interceptor, guard | 后备地址, 拦截器, 守卫 |
/// | install, uninstall, load, unload | 安装, 卸载, 载入, 卸出 |
/// | key, retired, revoked | 密钥, 停用, 撤销 |
/// | leftover | 残留 |
/// | manifest, seal, signature | 清单, 密封, 签名 |
/// | pattern, capture, segment, fragment | 模式, 捕获, 段, 片段 |
/// | permission | 权限 |
/// | pin (a version), pin (a root) | 固定, 固定根文件 |
/// | quarantine, block | 隔离, 阻止 |
/// | registry | 注册表 |
/// | require, requirement | 依赖 |
/// | roll back | 回滚 |
/// | route, address, page | 路由, 地址, 页面 |
/// | sandbox, container | 沙盒, 容器 |
/// | team, trust store | 团队, 信任库 |
/// | widget | 小组件 |
enum SimplifiedChinese {}
