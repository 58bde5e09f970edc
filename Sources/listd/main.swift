print("listd")
