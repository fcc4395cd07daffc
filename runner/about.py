"""Run once at the start as any code is: says what there is, and gets matplotlib ready, so that no later run waits for its fonts."""
import ctypes
import glob
import json
import os
import platform
import socket
from importlib.metadata import PackageNotFoundError, version

# Fonts that have Chinese. matplotlib takes each character from the first font of the list that has it.
CHINESE = ["Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "AR PL UMing CN", "SimHei", "Microsoft YaHei", "PingFang SC", "Noto Sans CJK JP"]
PACKAGES = ["pandas", "numpy", "matplotlib", "openpyxl", "xlrd", "scipy"]


def installed(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def fonts():
    """`(the files of its configuration, the font that has Chinese)`."""
    try:
        from matplotlib import font_manager
    except ImportError:
        return {}, None
    known = {font.name for font in font_manager.fontManager.ttflist}
    chinese = next((name for name in CHINESE if name in known), None)
    families = ", ".join(name for name in ("DejaVu Sans", chinese) if name)
    files = {"matplotlibrc": f"backend: Agg\nfont.family: {families}\naxes.unicode_minus: False\n"}
    for path in glob.glob(os.path.join(os.environ["MPLCONFIGDIR"], "fontlist-*.json")):
        with open(path, encoding="utf-8") as file:
            files[os.path.basename(path)] = file.read()
    return files, chinese


def network():
    """A datagram socket sends nothing by being connected; it only must have a way."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect(("192.0.2.1", 9))
    except OSError:
        return "isolated"
    return "open"


def filtered():
    """PR_GET_SECCOMP is 2 under a filter."""
    try:
        return platform.system() == "Linux" and ctypes.CDLL(None).prctl(21, 0, 0, 0, 0) == 2
    except (OSError, AttributeError):
        return False


files, chinese = fonts()
about = {"python": platform.python_version(), "packages": {name: installed(name) for name in PACKAGES}, "chinese_font": chinese}
about |= {"network": network(), "system_calls": "filtered" if filtered() else "open"}
with open("result.json", "w", encoding="utf-8") as file:
    json.dump({**about, "matplotlib_files": files}, file)
